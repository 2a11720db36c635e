import * as vscode from 'vscode';
import { createDiagnostic, DocumentChecks } from '../../../common/documents/documentChecks';
import { maxMemoryBytes } from '../../../contract/memoryPath';
import { describeTooLarge } from './memoryLimits';
import { memoryScheme } from './memoryLocation';

/** Reports a problem while the user types if a memory exceeds the service's size limit. */
export function watchMemorySizes(): vscode.Disposable {
  return new DocumentChecks({
    name: 'managed-agents-memory',
    matches: ({ uri }) => uri.scheme === memoryScheme,
    find: findTooLarge,
    delay: 0,
  });
}

function findTooLarge(document: vscode.TextDocument): readonly vscode.Diagnostic[] {
  const text = document.getText();
  // A UTF-16 code unit takes at most three bytes.
  const bytes = text.length * 3 > maxMemoryBytes ? Buffer.byteLength(text) : 0;
  const message = describeTooLarge(bytes, vscode.l10n.t, vscode.env.language);
  if (message === undefined) {
    return [];
  }
  const allowed = Buffer.from(text).subarray(0, maxMemoryBytes).toString('utf8').length;
  const range = new vscode.Range(document.positionAt(Math.min(allowed, text.length - 1)), document.positionAt(text.length));
  return [createDiagnostic(range, message, vscode.DiagnosticSeverity.Error)];
}
