import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { CancelledError } from '../../common/cancellation';
import { readDocument } from '../jsonl';
import { submissionFiles } from './submissionFile';

/** The bytes to check and send: a file as it stands on disk, or a copy of what stands in the editor. */
export interface SubmitContent {
  readonly path: string;
  readonly fromEditor: boolean;
}

/**
 * The file a batch is created from: the one given, else the active editor's, else the active tab's (custom editors, files
 * too big for extensions), else the user's choice. Throws a `CancelledError` when nothing is chosen.
 */
export async function chooseTarget(given: vscode.Uri | undefined): Promise<vscode.Uri> {
  if (given !== undefined) {
    return given;
  }
  const document = vscode.window.activeTextEditor?.document;
  if (document !== undefined && (isRequestFile(document.uri) || (document.isUntitled && document.languageId === 'jsonl'))) {
    return document.uri;
  }
  const active = activeTabUri();
  if (active !== undefined && isRequestFile(active)) {
    return active;
  }
  return await pickFile();
}

function activeTabUri(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? input.uri : undefined;
}

function isRequestFile(uri: vscode.Uri): boolean {
  return /\.(?:jsonl|ndjson)$/i.test(uri.path) && !/\.results\.jsonl$/i.test(uri.path);
}

async function pickFile(): Promise<vscode.Uri> {
  const found = (await vscode.workspace.findFiles('**/*.{jsonl,ndjson}', '**/node_modules/**', 500)).filter(isRequestFile);
  const browse: vscode.QuickPickItem & { uri?: vscode.Uri } = { label: vscode.l10n.t('$(folder-opened) Browse...'), alwaysShow: true };
  const files = found
    .sort((a, b) => a.path.localeCompare(b.path))
    .map(uri => {
      const folder = path.posix.dirname(vscode.workspace.asRelativePath(uri));
      return { label: path.posix.basename(uri.path), description: folder === '.' ? undefined : folder, uri };
    });
  const chosen =
    files.length === 0
      ? browse
      : await vscode.window.showQuickPick([...files, browse], {
          placeHolder: vscode.l10n.t('Create a batch from which file?'),
          matchOnDescription: true,
        });
  if (chosen === undefined) {
    throw new CancelledError();
  }
  if (chosen.uri !== undefined) {
    return chosen.uri;
  }
  const opened = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Create a Batch From a File of Requests'),
    openLabel: vscode.l10n.t('Create Batch'),
    filters: { [vscode.l10n.t('JSON Lines')]: ['jsonl', 'ndjson'] },
  });
  if (opened?.[0] === undefined) {
    throw new CancelledError();
  }
  return opened[0];
}

/**
 * Where the bytes of a target are. What is unsaved, or stands nowhere on disk, is copied into `folder()`, which is asked
 * for only then. Throws a sentence for the user when the bytes cannot be had.
 */
export async function readContent(uri: vscode.Uri, folder: () => Promise<string>): Promise<SubmitContent> {
  const shown = vscode.workspace.textDocuments.find(document => document.uri.toString() === uri.toString());
  if (uri.scheme === 'file' && shown?.isDirty !== true) {
    if (shown === undefined && isUnsavedTab(uri)) {
      throw new Error(
        vscode.l10n.t('{0} has unsaved changes and is too big for extensions to read from the editor. Save it first.', nameOf(uri)),
      );
    }
    await demandFile(uri);
    return { path: uri.fsPath, fromEditor: false };
  }
  const document = shown ?? (await vscode.workspace.openTextDocument(uri));
  const copy = path.join(await folder(), submissionFiles.editorCopy);
  const file = await open(copy, 'wx', 0o600);
  try {
    for await (const piece of readDocument(
      document,
      vscode.l10n.t('{0} was edited while it was read. Nothing was sent; try again.', nameOf(uri)),
    )) {
      await file.writeFile(piece);
    }
  } finally {
    await file.close();
  }
  return { path: copy, fromEditor: true };
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

/** The file name of a URI, for people. */
export function nameOf(uri: vscode.Uri): string {
  return path.posix.basename(uri.path);
}
