import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { toLabel } from '../../shared/text';
import { CancelledError } from '../cancellation';
import { askModal } from './notifications';

export interface NewFileQuestion {
  /** File that the new one stands beside, if it can. */
  readonly beside: vscode.Uri;
  readonly name: string;
  /** Title of the dialog that asks for another place. */
  readonly title: string;
}

/** Where a new file goes; a file that is there is replaced only when the user says so. Rejects with `CancelledError`. */
export async function placeForNewFile({ beside, name, title }: NewFileQuestion): Promise<string> {
  const folder = await writableFolderOf(beside);
  if (folder === undefined) {
    return await askWhere(name, title);
  }
  const file = path.join(folder, name);
  if (!(await exists(file))) {
    return file;
  }
  const replace = vscode.l10n.t('Replace');
  const saveAs = vscode.l10n.t('Save As...');
  const choice = await askModal(
    vscode.l10n.t('{0} exists already. Replace it?', toLabel(name, 80)),
    { detail: toLabel(file, 500) },
    // First what loses nothing: it is what Enter presses.
    saveAs,
    replace,
  );
  if (choice === replace) {
    return file;
  }
  if (choice === saveAs) {
    return await askWhere(name, title, folder);
  }
  throw new CancelledError();
}

/** A name beside a file that is free: `<stem><ending>`, `<stem>-2<ending>` and so on; undefined when nothing can be written there. */
export async function freeNameBeside(beside: vscode.Uri, stem: string, ending: string): Promise<string | undefined> {
  const folder = await writableFolderOf(beside);
  if (folder === undefined) {
    return undefined;
  }
  let file = path.join(folder, `${stem}${ending}`);
  for (let copy = 2; await exists(file); copy++) {
    file = path.join(folder, `${stem}-${copy}${ending}`);
  }
  return file;
}

/**
 * Asks where a file goes, in `folder` unless the user says otherwise; the dialog itself asks before an existing one is replaced. Rejects with
 * `CancelledError` without an answer.
 */
export async function askWhere(name: string, title: string, folder?: string): Promise<string> {
  const base = folder === undefined ? vscode.workspace.workspaceFolders?.[0]?.uri : vscode.Uri.file(folder);
  const chosen = await vscode.window.showSaveDialog({
    title,
    defaultUri: base && vscode.Uri.joinPath(base, name),
    filters: name.endsWith('.json') ? { JSON: ['json'] } : { [vscode.l10n.t('JSON Lines')]: ['jsonl'] },
  });
  if (chosen === undefined) {
    throw new CancelledError();
  }
  if (chosen.scheme !== 'file') {
    throw new Error(vscode.l10n.t('The file can be written to the disk of this machine only.'));
  }
  return chosen.fsPath;
}

/** Whether there is something at a path. */
export async function exists(file: string): Promise<boolean> {
  return await stat(file).then(
    () => true,
    () => false,
  );
}

/** Whether files can be made in a folder. */
export async function canWriteTo(folder: string): Promise<boolean> {
  return await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
}

/** The folder of a file on the disk of this machine, when files can be made there. */
export async function writableFolderOf({ scheme, fsPath }: vscode.Uri): Promise<string | undefined> {
  const folder = path.dirname(fsPath);
  return scheme === 'file' && (await canWriteTo(folder)) ? folder : undefined;
}
