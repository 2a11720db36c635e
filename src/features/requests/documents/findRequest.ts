import * as vscode from 'vscode';
import { activeUri } from '../../../common/asking/activeUri';
import { runCommand } from '../../../common/commands';
import { resultsOfSource, type SubmissionRegistry } from '../../ledger';
import type { OpenRequestFile, RequestDocuments } from './requestDocuments';
import type { RequestTarget } from './requestFile';

/**
 * Returns the open request file of a URI. Defaults to the file of the active editor. Throws an error for the user if there is no such file.
 */
export function findFile(documents: RequestDocuments, uri: vscode.Uri | undefined): OpenRequestFile {
  const target = uri ?? vscode.window.activeTextEditor?.document.uri;
  const file = target && documents.get(target);
  if (file === undefined) {
    throw new Error(vscode.l10n.t('Place the cursor in a request first.'));
  }
  return file;
}

/**
 * Returns the line of a target. Throws an error for the user if the document has changed since the target's version, because the current
 * line would be a guess.
 */
export function findLine({ document }: OpenRequestFile, target: RequestTarget): number {
  const { line = cursorOf(document)?.line ?? 0, version = document.version } = target;
  if (version !== document.version || line >= document.lineCount) {
    throw new Error(vscode.l10n.t('The line has changed. Try again.'));
  }
  return line;
}

/** Returns the cursor position in a document, if a visible editor shows it. */
export function cursorOf(document: vscode.TextDocument): vscode.Position | undefined {
  const editors = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors];
  return editors.find(editor => editor?.document === document)?.selection.active;
}

/**
 * Returns the open request file of a URI. If extensions can't read the lines of a file with results, shows the results table and returns
 * `undefined`. This applies to files over 50 MB, and to files in another extension's editor.
 */
export async function findFileOrShowTable(
  { documents, registry }: { readonly documents: RequestDocuments; readonly registry: Pick<SubmissionRegistry, 'all'> },
  uri = activeUri(),
): Promise<OpenRequestFile | undefined> {
  if (uri !== undefined && documents.get(uri) === undefined && resultsOfSource(registry.all(), uri.toString()) !== undefined) {
    await runCommand('managedAgents.results.show', uri);
    return undefined;
  }
  return findFile(documents, uri);
}
