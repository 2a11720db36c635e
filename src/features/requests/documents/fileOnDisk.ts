import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { openDocumentOf } from '../../../common/documents/openDocumentOf';
import { needsConversion } from '../../../jsonl/scanning/fileKind';
import { withSnapshot } from './documentSnapshot';
import { firstLines, nameOf, readFirstLines } from './requestFile';

/**
 * Returns the document if it must be read instead of the file on disk: it has unsaved changes, or is not stored as a file. `undefined` if
 * the file on disk is up to date. Throws an error for the user if the file can't be read.
 */
export async function unsavedDocument(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  const shown = openDocumentOf(uri);
  if (uri.scheme !== 'file') {
    return shown ?? (await vscode.workspace.openTextDocument(uri));
  }
  if (shown?.isDirty === true) {
    return shown;
  }
  if (shown === undefined && isUnsavedTab(uri)) {
    throw new Error(vscode.l10n.t('Save {0} first.', nameOf(uri)));
  }
  await demandFile(uri);
  return undefined;
}

/**
 * Calls `use` with the path of a file that has the current text: the file itself, or a snapshot of its document in `folder`, which is
 * deleted when `use` settles. `fromEditor` is true for a snapshot.
 */
export async function withFileOnDisk<T>(
  uri: vscode.Uri,
  folder: string,
  use: (file: string, fromEditor: boolean) => Promise<T>,
): Promise<T> {
  const document = await unsavedDocument(uri);
  return document === undefined ? await use(uri.fsPath, false) : await withSnapshot(document, folder, file => use(file, true));
}

/** Returns whether a tab shows unsaved changes of a file, even if the file is too big for extensions. */
export function isUnsavedTab(uri: vscode.Uri): boolean {
  return vscode.window.tabGroups.all
    .flatMap(group => group.tabs)
    .some(tab => tab.isDirty && tab.input instanceof vscode.TabInputText && tab.input.uri.toString() === uri.toString());
}

/** Returns a stamp that changes when a program writes a file; `undefined` if the file can't be read. */
export async function stampOf(file: string): Promise<string | undefined> {
  return await stat(file).then(
    ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
    () => undefined,
  );
}

async function demandFile(uri: vscode.Uri): Promise<void> {
  let isFile: boolean;
  try {
    isFile = (await stat(uri.fsPath)).isFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new Error(vscode.l10n.t('File not found: {0}', uri.fsPath));
    }
    throw error;
  }
  if (!isFile) {
    throw new Error(vscode.l10n.t('{0} is not a file.', uri.fsPath));
  }
}

/** Returns whether the text of a file, from its editor or else from disk, has requests in another format. */
export async function isInAnotherForm(uri: vscode.Uri): Promise<boolean> {
  const open = openDocumentOf(uri);
  return needsConversion(open !== undefined ? firstLines(open) : uri.scheme === 'file' ? await readFirstLines(uri.fsPath) : []);
}
