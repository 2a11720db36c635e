import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { toLabel } from '../../../shared/text';
import { withSnapshot } from './documentSnapshot';
import { toFileName } from './requestFile';

/**
 * The document whose text counts instead of a file on disk: unsaved, or with no file at all. Undefined when what stands on
 * disk is what the user sees. Throws a sentence for the user when the bytes cannot be had.
 */
export async function unsavedDocument(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  const shown = vscode.workspace.textDocuments.find(document => document.uri.toString() === uri.toString());
  if (uri.scheme !== 'file') {
    return shown ?? (await vscode.workspace.openTextDocument(uri));
  }
  if (shown?.isDirty === true) {
    return shown;
  }
  if (shown === undefined && isUnsavedTab(uri)) {
    throw new Error(
      vscode.l10n.t(
        '{0} has unsaved changes and is too big for extensions to read from the editor. Save it first.',
        toLabel(toFileName(uri), 80),
      ),
    );
  }
  await demandFile(uri);
  return undefined;
}

/**
 * Hands `use` the path of a file that holds what the user sees under `uri`: the file itself, or a copy of what stands in the
 * editor, in `folder`, that is gone when `use` has settled. `fromEditor` tells which.
 */
export async function withFileOnDisk<T>(
  uri: vscode.Uri,
  folder: string,
  use: (file: string, fromEditor: boolean) => Promise<T>,
): Promise<T> {
  const document = await unsavedDocument(uri);
  if (document === undefined) {
    return await use(uri.fsPath, false);
  }
  const changed = vscode.l10n.t('{0} was edited while it was read. Try again.', toLabel(toFileName(uri), 80));
  return await withSnapshot(document, folder, changed, file => use(file, true));
}

function isUnsavedTab(uri: vscode.Uri): boolean {
  return vscode.window.tabGroups.all
    .flatMap(group => group.tabs)
    .some(tab => tab.isDirty && tab.input instanceof vscode.TabInputText && tab.input.uri.toString() === uri.toString());
}

async function demandFile(uri: vscode.Uri): Promise<void> {
  let isFile: boolean;
  try {
    isFile = (await stat(uri.fsPath)).isFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new Error(vscode.l10n.t('{0} is not there any more.', uri.fsPath));
    }
    throw error;
  }
  if (!isFile) {
    throw new Error(vscode.l10n.t('{0} is not a file.', uri.fsPath));
  }
}
