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
 * Returns the current line of `line` in `version`. Without a version, `line` is current. Without a line, returns the cursor's line. Returns
 * `undefined` if the line was split, joined or removed since then, because any guess could be wrong.
 */
export function findLine(
  { document, requests }: OpenRequestFile,
  line: number | undefined,
  version: number | undefined,
): number | undefined {
  const current = line === undefined ? lineOfCursor(document) : version === undefined ? line : requests.history.map(line, version);
  return current !== undefined && current < document.lineCount ? current : undefined;
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
