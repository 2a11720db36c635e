import * as vscode from 'vscode';
import { resultsOfSource, type SubmissionRegistry } from '../../ledger';
import type { OpenRequestFile, RequestDocuments } from './requestDocuments';

/** Returns the open request file of a URI, by default that of the active editor. Throws an error for the user if there is none. */
export function findFile(documents: RequestDocuments, uri: vscode.Uri | undefined): OpenRequestFile {
  const target = uri ?? vscode.window.activeTextEditor?.document.uri;
  const file = target && documents.get(target);
  if (file === undefined) {
    throw new Error(vscode.l10n.t('Place the cursor in a request first.'));
  }
  return file;
}

/**
 * Returns `line`, or without one the cursor's line. Throws an error for the user if the document is no longer in `version`, because any
 * guess of the current line could be wrong.
 */
export function findLine({ document }: OpenRequestFile, line = lineOfCursor(document), version = document.version): number {
  if (version !== document.version || line >= document.lineCount) {
    throw new Error(vscode.l10n.t('The line has changed. Try again.'));
  }
  return line;
}

function lineOfCursor(document: vscode.TextDocument): number {
  const editors = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors];
  return editors.find(editor => editor?.document === document)?.selection.active.line ?? 0;
}

/** Returns whether a file has results but no lines that extensions can read: it is over 50 MB, or in another extension's editor. */
export function hasTableOnly(
  { documents, registry }: { readonly documents: RequestDocuments; readonly registry: Pick<SubmissionRegistry, 'all'> },
  uri: vscode.Uri | undefined,
): boolean {
  return uri !== undefined && documents.get(uri) === undefined && resultsOfSource(registry.all(), uri.toString()) !== undefined;
}
