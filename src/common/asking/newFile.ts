import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { toLabel } from '../../shared/text';
import { CancelledError } from '../cancellation';
import { askModal } from './notifications';

/** Returns a path for a new file, beside a file if possible. Rejects with `CancelledError` if the user keeps an existing file. */
export async function newFilePath(beside: vscode.Uri, name: string, title: string): Promise<string> {
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
    vscode.l10n.t('{0} already exists. Replace it?', toLabel(name, 80)),
    { detail: toLabel(file, 500) },
    // Enter presses the first button, so that button must not destroy data.
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

/** Returns a free path next to a file: `<stem><ending>`, `<stem>-2<ending>` and so on, or `undefined` if the folder is not writable. */
export async function findFreePath(beside: vscode.Uri, stem: string, ending: string): Promise<string | undefined> {
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

/** Returns a free path next to a file like `findFreePath`, or asks for one if the folder is not writable. */
export async function chooseFreePath(beside: vscode.Uri, stem: string, ending: string, title: string): Promise<string> {
  return (await findFreePath(beside, stem, ending)) ?? (await askWhere(`${stem}${ending}`, title));
}

/** Asks where to save a file, starting in `folder`. The dialog asks before it replaces one. Rejects with `CancelledError` on Escape. */
export async function askWhere(name: string, title: string, folder?: string): Promise<string> {
  const base = folder === undefined ? vscode.workspace.workspaceFolders?.[0]?.uri : vscode.Uri.file(folder);
  const formats = { json: 'JSON', csv: 'CSV', md: vscode.l10n.t('Markdown'), jsonl: vscode.l10n.t('JSON Lines') };
  const filters = Object.entries(formats).flatMap(([ending, format]) => (name.endsWith(`.${ending}`) ? [[format, [ending]]] : []));
  const chosen = await vscode.window.showSaveDialog({
    title,
    defaultUri: base && vscode.Uri.joinPath(base, name),
    ...(filters.length > 0 && { filters: Object.fromEntries(filters) }),
  });
  if (chosen === undefined) {
    throw new CancelledError();
  }
  if (chosen.scheme !== 'file') {
    throw new Error(vscode.l10n.t('Select a folder on this machine.'));
  }
  return chosen.fsPath;
}

/** Asks for existing files. Rejects with `CancelledError` if the dialog is closed. */
export async function askFiles(options: vscode.OpenDialogOptions): Promise<readonly [vscode.Uri, ...vscode.Uri[]]> {
  const [first, ...others] = (await vscode.window.showOpenDialog(options)) ?? [];
  if (first === undefined) {
    throw new CancelledError();
  }
  return [first, ...others];
}

/** Asks for a folder of this machine. Rejects with `CancelledError` if the dialog is closed. */
export async function askFolder(
  title: string,
  openLabel: string,
  defaultUri = vscode.workspace.workspaceFolders?.[0]?.uri,
): Promise<string> {
  const options = { title, openLabel, canSelectFiles: false, canSelectFolders: true, ...(defaultUri && { defaultUri }) };
  const [chosen] = await askFiles(options);
  if (chosen.scheme !== 'file') {
    throw new Error(vscode.l10n.t('Select a folder on this machine.'));
  }
  return chosen.fsPath;
}

export async function exists(file: string): Promise<boolean> {
  return await stat(file).then(
    () => true,
    () => false,
  );
}

export async function canWriteTo(folder: string): Promise<boolean> {
  return await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
}

/** Returns the folder of a local file if files can be created in it. */
export async function writableFolderOf({ scheme, fsPath }: vscode.Uri): Promise<string | undefined> {
  const folder = path.dirname(fsPath);
  return scheme === 'file' && (await canWriteTo(folder)) ? folder : undefined;
}
