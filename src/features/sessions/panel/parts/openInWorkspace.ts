import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { showInformation } from '../../../../common/asking/notifications';
import type { FileChange } from '../../../../shared/session/fileChange';
import { toLabel } from '../../../../shared/text';

interface WorkspaceFolder extends SearchedFolder {
  readonly uri: vscode.Uri;
}

/** Opens the workspace file for a path that an agent wrote, at the changed text. Shows a message if no file or several files match. */
export async function openInWorkspace(filePath: string, change: FileChange | undefined): Promise<void> {
  const shown = toLabel(filePath, 300);
  const folders = (vscode.workspace.workspaceFolders ?? []).map(toSearchedFolder);
  const found = await findWorkspaceFile(filePath, folders);
  const [folder, ...others] = found.folders;
  if (folder === undefined) {
    const { t } = vscode.l10n;
    return void (await showInformation(t("{0} isn't in the workspace.", shown)));
  }
  if (others.length > 0) {
    const names = found.folders.map(({ name }) => toLabel(name, 60)).join(', ');
    return void (await showInformation(vscode.l10n.t('{0} is in several folders: {1}.', shown, names)));
  }
  const uri = vscode.Uri.joinPath(folder.uri, ...found.names);
  const selection = await findChange(uri, change);
  const options: vscode.TextDocumentShowOptions = { viewColumn: vscode.ViewColumn.Beside, preview: true, ...(selection && { selection }) };
  await vscode.commands.executeCommand('vscode.open', uri, options);
}

function toSearchedFolder({ name, uri }: vscode.WorkspaceFolder): WorkspaceFolder {
  const isLocal = uri.scheme === 'file';
  return {
    name,
    uri,
    names: uri.path === '/' ? [] : toPathNames(uri.path),
    holds: async names => (isLocal ? await holdsFile(uri.fsPath, names) : await isFile(vscode.Uri.joinPath(uri, ...names))),
  };
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
  } catch {
    return false;
  }
}

async function findChange(uri: vscode.Uri, change: FileChange | undefined): Promise<vscode.Range | undefined> {
  if (change?.type !== 'edit') {
    return undefined;
  }
  let document: vscode.TextDocument;
  try {
    document = await vscode.workspace.openTextDocument(uri);
  } catch {
    // The file is not text, or too long. VS Code reports that when it opens the file.
    return undefined;
  }
  const text = document.getText().replaceAll('\r\n', '\n');
  const piece = [change.after, change.before].find(each => each !== '' && text.includes(each));
  if (piece === undefined) {
    return undefined;
  }
  const lines = text.slice(0, text.indexOf(piece)).split('\n');
  const start = new vscode.Position(lines.length - 1, lines.at(-1)?.length ?? 0);
  return new vscode.Range(start, start);
}

/** A workspace folder, as needed to search for a file. */
export interface SearchedFolder {
  readonly name: string;
  /** Names in the path of the folder. `undefined` if `toPathNames` rejects it. */
  readonly names: readonly string[] | undefined;
  /** Returns whether the folder contains a file with this path, without links that lead out of it. */
  readonly holds: (names: readonly string[]) => Promise<boolean>;
}

/** Folders that contain a path. If there are several, the intended folder is unknown. `names` is the path in the folders. */
interface WorkspaceFile<F extends SearchedFolder> {
  readonly folders: readonly F[];
  readonly names: readonly string[];
}

const longest = 4096;
const maxNames = 64;

/**
 * Returns the names in a path that a model wrote. `undefined` if the target of the path is ambiguous because of `..`, other separators,
 * drives or streams.
 */
export function toPathNames(text: string): readonly string[] | undefined {
  if (text.length > longest || /[\\:\p{Cc}]/u.test(text) || text.endsWith('/')) {
    return undefined;
  }
  const names = text.split('/').filter(name => name !== '' && name !== '.');
  const isSure = names.length > 0 && names.length <= maxNames && !names.some(name => /^\.[. ]*$/.test(name));
  return isSure ? names : undefined;
}

/**
 * Finds the workspace file for a path that an agent wrote. If the path is inside a folder, the file must be exactly there. For any other
 * path (of a container, relative), uses the longest suffix that a folder contains, if only one folder contains it.
 */
export async function findWorkspaceFile<F extends SearchedFolder>(text: string, folders: readonly F[]): Promise<WorkspaceFile<F>> {
  const names = toPathNames(text) ?? [];
  const around = text.startsWith('/') ? folders.filter(folder => folder.names !== undefined && isWithin(names, folder.names)) : [];
  if (around.length > 0) {
    // If folders are nested, the innermost folder is used.
    const folder = around.reduce((inner, each) => ((each.names?.length ?? 0) > (inner.names?.length ?? 0) ? each : inner));
    const rest = names.slice(folder.names?.length ?? 0);
    return { folders: (await folder.holds(rest)) ? [folder] : [], names: rest };
  }
  for (let from = 0; from < names.length; from++) {
    const end = names.slice(from);
    const answers = await Promise.all(folders.map(folder => folder.holds(end)));
    const holders = folders.filter((_, index) => answers[index]);
    if (holders.length > 0) {
      return { folders: holders, names: end };
    }
  }
  return { folders: [], names };
}

function isWithin(names: readonly string[], folder: readonly string[]): boolean {
  return names.length > folder.length && folder.every((name, index) => names[index] === name);
}

/** Returns whether a folder of this machine contains a file, without links that lead out of it. Disk errors count as no file. */
export async function holdsFile(folder: string, names: readonly string[]): Promise<boolean> {
  try {
    const [real, file] = await Promise.all([realpath(folder), realpath(path.join(folder, ...names))]);
    const relativePath = path.relative(real, file);
    const isInside = relativePath !== '' && !path.isAbsolute(relativePath) && relativePath.split(path.sep)[0] !== '..';
    return isInside && (await stat(file)).isFile();
  } catch {
    return false;
  }
}
