import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { CancelledError } from '../../../common/cancellation';
import { toLabel } from '../../../common/text';

export interface NewFileQuestion {
  /** File that the new one stands beside, if it can. */
  readonly beside: vscode.Uri;
  readonly name: string;
  /** Title of the dialog that asks for another place. */
  readonly title: string;
}

/** Where a new file goes; a file that is there is replaced only when the user says so. Rejects with `CancelledError`. */
export async function placeForNewFile({ beside, name, title }: NewFileQuestion): Promise<string> {
  const folder = beside.scheme === 'file' ? path.dirname(beside.fsPath) : undefined;
  if (folder === undefined || !(await canWriteTo(folder))) {
    return await askWhere(vscode.workspace.workspaceFolders?.[0]?.uri, name, title);
  }
  const file = path.join(folder, name);
  if (!(await exists(file))) {
    return file;
  }
  const replace = vscode.l10n.t('Replace');
  const saveAs = vscode.l10n.t('Save As...');
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t('{0} exists already. Replace it?', toLabel(name, 80)),
    { modal: true, detail: toLabel(file, 500) },
    replace,
    saveAs,
  );
  if (choice === replace) {
    return file;
  }
  if (choice === saveAs) {
    return await askWhere(vscode.Uri.file(folder), name, title);
  }
  throw new CancelledError();
}

/** A name beside a file that is free, `name`, `name-2` and so on; undefined when nothing can be written there. */
export async function freeNameBeside(beside: vscode.Uri, stem: string, ending: string): Promise<string | undefined> {
  const folder = beside.scheme === 'file' ? path.dirname(beside.fsPath) : undefined;
  if (folder === undefined || !(await canWriteTo(folder))) {
    return undefined;
  }
  let file = path.join(folder, `${stem}${ending}`);
  for (let copy = 2; await exists(file); copy++) {
    file = path.join(folder, `${stem}-${copy}${ending}`);
  }
  return file;
}

async function askWhere(folder: vscode.Uri | undefined, name: string, title: string): Promise<string> {
  const chosen = await vscode.window.showSaveDialog({
    title,
    defaultUri: folder && vscode.Uri.joinPath(folder, name),
    filters: { [vscode.l10n.t('JSON Lines')]: ['jsonl'] },
  });
  if (chosen === undefined) {
    throw new CancelledError();
  }
  if (chosen.scheme !== 'file') {
    throw new Error(vscode.l10n.t('Requests can be written to the disk of this machine only.'));
  }
  return chosen.fsPath;
}

async function canWriteTo(folder: string): Promise<boolean> {
  return await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
}

async function exists(file: string): Promise<boolean> {
  return await stat(file).then(
    () => true,
    () => false,
  );
}
