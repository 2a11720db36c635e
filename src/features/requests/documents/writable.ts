import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { toLabel } from '../../../shared/text';

/** Throws an error for the user if a document is read-only in the editor. Its edits would be visible but could never be saved. */
export async function demandWritable(document: vscode.TextDocument): Promise<void> {
  const { uri, isUntitled } = document;
  if (isUntitled) {
    return;
  }
  const files = vscode.workspace.getConfiguration('files', uri);
  const isReadonly =
    vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false ||
    (!matches(document, files.get('readonlyExclude')) &&
      (matches(document, files.get('readonlyInclude')) || (files.get('readonlyFromPermissions') === true && (await isLocked(uri)))));
  if (isReadonly) {
    throw readonlyError(uri);
  }
}

/** Throws an error for the user if a file that is not open in an editor is write-protected. */
export async function demandUnlocked(uri: vscode.Uri): Promise<void> {
  if (await isLocked(uri)) {
    throw readonlyError(uri);
  }
}

/** Returns whether a file is write-protected. Like the editor, checks only whether its owner may write it. */
async function isLocked({ scheme, fsPath }: vscode.Uri): Promise<boolean> {
  if (scheme !== 'file') {
    return false;
  }
  return await stat(fsPath).then(
    ({ mode }) => (mode & 0o200) === 0,
    () => false,
  );
}

/** Returns whether a document matches a pattern of a setting, relative to a workspace folder or to the root. */
function matches(document: vscode.TextDocument, patterns: unknown): boolean {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return Object.entries(patterns ?? {})
    .filter(([, isOn]) => isOn === true)
    .flatMap(([pattern]) => [pattern, ...folders.map(folder => new vscode.RelativePattern(folder, pattern))])
    .some(pattern => vscode.languages.match({ pattern }, document) > 0);
}

function readonlyError({ path }: vscode.Uri): Error {
  return new Error(
    vscode.l10n.t(
      '{0} is read-only. Change its permissions or the setting files.readonlyInclude, or save a copy.',
      toLabel(path.slice(path.lastIndexOf('/') + 1), 80),
    ),
  );
}
