import * as vscode from 'vscode';
import { describeTooLarge } from './memoryLimits';

/** Decodes the content of a memory. Throws an error with a message for the user if no service accepts it. */
export function textOfMemory(bytes: Uint8Array): string {
  const tooLarge = describeTooLarge(bytes.byteLength, vscode.l10n.t, vscode.env.language);
  if (tooLarge !== undefined) {
    throw vscode.FileSystemError.Unavailable(tooLarge);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw vscode.FileSystemError.Unavailable(vscode.l10n.t('Save the file as UTF-8.'));
  }
}
