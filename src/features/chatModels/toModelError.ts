import * as vscode from 'vscode';
import { ServiceError } from '../../client/transport/errors';
import { UntrustedError } from '../../common/asking/untrusted';
import { isCancellation } from '../../common/cancellation';
import { redact } from '../../shared/redaction';
import { toLabel } from '../../shared/text';

/** Converts a failure to an error that VS Code can show in a chat: plain words, no secrets, and if possible a VS Code type. */
export function toModelError(error: unknown): Error {
  if (error instanceof vscode.LanguageModelError) {
    return error;
  }
  if (isCancellation(error)) {
    return new vscode.CancellationError();
  }
  const words = toLabel(redact(error instanceof Error ? error.message : String(error)), 1000);
  if (error instanceof UntrustedError) {
    return vscode.LanguageModelError.NoPermissions(words);
  }
  switch (error instanceof ServiceError ? error.kind : undefined) {
    case 'authentication':
    case 'permission':
    case 'billing':
    case 'no_credential':
      return vscode.LanguageModelError.NoPermissions(words);
    case 'not_found':
      return vscode.LanguageModelError.NotFound(words);
    default:
      return new Error(words);
  }
}
