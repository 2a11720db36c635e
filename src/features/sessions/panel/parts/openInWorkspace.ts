import * as vscode from 'vscode';
import { showInformation } from '../../../../common/asking/notifications';
import type { FileChange } from '../../../../shared/session/fileChange';
import { toLabel } from '../../../../shared/text';
import { findWorkspaceFile, holdsFile, type SearchedFolder, toPathNames } from './findWorkspaceFile';

interface WorkspaceFolder extends SearchedFolder {
  readonly uri: vscode.Uri;
}

/**
 * Opens the workspace file for a path that an agent wrote, at the text that a change added or would remove, if found. Shows a message if
 * there is no file, or several match.
 */
export async function openInWorkspace(filePath: string, change: FileChange | undefined): Promise<void> {
  const shown = toLabel(filePath, 300);
  const folders = (vscode.workspace.workspaceFolders ?? []).map(toSearchedFolder);
  const found = await findWorkspaceFile(filePath, folders);
  if (found.type === 'none') {
    const { t } = vscode.l10n;
    return void (await showInformation(t("{0} isn't in the workspace.", shown)));
  }
  if (found.type === 'several') {
    const names = found.folders.map(({ name }) => toLabel(name, 60)).join(', ');
    return void (await showInformation(vscode.l10n.t('{0} is in several folders: {1}.', shown, names)));
  }
  const uri = vscode.Uri.joinPath(found.folder.uri, ...found.names);
  const options = { viewColumn: vscode.ViewColumn.Beside, preview: true };
  const selection = await findChange(uri, change);
  await vscode.commands.executeCommand('vscode.open', uri, {
    ...options,
    ...(selection && { selection }),
  } satisfies vscode.TextDocumentShowOptions);
}

function toSearchedFolder({ name, uri }: vscode.WorkspaceFolder): WorkspaceFolder {
  const isOfDisk = uri.scheme === 'file';
  return {
    name,
    uri,
    names: uri.path === '/' ? [] : toPathNames(uri.path),
    holds: async names => (isOfDisk ? await holdsFile(uri.fsPath, names) : await isFile(vscode.Uri.joinPath(uri, ...names))),
  };
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
  } catch {
    return false;
  }
}

/** Returns the start of the text that an edit added, or of the text that it would remove. */
async function findChange(uri: vscode.Uri, change: FileChange | undefined): Promise<vscode.Range | undefined> {
  if (change?.type !== 'edit') {
    return undefined;
  }
  let document: vscode.TextDocument;
  try {
    document = await vscode.workspace.openTextDocument(uri);
  } catch {
    // The file is not text, or too long. VS Code reports that when it opens it.
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
