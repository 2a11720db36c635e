import * as vscode from 'vscode';
import { resultsOfSource, type SubmissionRegistry } from '../../ledger';
import type { OpenRequestFile, RequestDocuments } from './requestDocuments';

/** The open request file of a URI, or the one in the active editor. Throws a sentence for the user when there is none. */
export function findFile(documents: RequestDocuments, uri: vscode.Uri | undefined): OpenRequestFile {
  const target = uri ?? vscode.window.activeTextEditor?.document.uri;
  const file = target && documents.get(target);
  if (file === undefined) {
    throw new Error(vscode.l10n.t('Open a .jsonl file of requests and place the cursor in a request, then choose the command again.'));
  }
  return file;
}

/**
 * Where `line` of `version` stands now; without a version it is taken as it is, without a line it is the one of the cursor.
 * Undefined when the line was split, joined or removed since: it is rather refused than guessed.
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

/** Returns whether a file has results but no lines that extensions can read: it is over 50 MB, or in the editor of another extension. */
export function hasTableOnly(
  { documents, registry }: { readonly documents: RequestDocuments; readonly registry: Pick<SubmissionRegistry, 'all'> },
  uri: vscode.Uri | undefined,
): boolean {
  return uri !== undefined && documents.get(uri) === undefined && resultsOfSource(registry.all(), uri.toString()) !== undefined;
}
