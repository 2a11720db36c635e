import * as vscode from 'vscode';
import { describeTooLarge } from './memoryLimits';

/** What is to be a memory, as text. Throws a sentence for what no service takes. */
export function textOfMemory(bytes: Uint8Array): string {
  const tooLarge = describeTooLarge(bytes.byteLength, vscode.l10n.t, vscode.env.language);
  if (tooLarge !== undefined) {
    throw vscode.FileSystemError.Unavailable(tooLarge);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw vscode.FileSystemError.Unavailable(vscode.l10n.t('A memory is text in UTF-8. Save it with that encoding.'));
  }
}
