import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { openDocumentOf } from '../../../common/documents/openDocumentOf';
import { tabsOf } from '../../../common/documents/tabs';
import { undefinedIfMissing } from '../../../common/files/undefinedIfMissing';
import { needsConversion } from '../../../jsonl/scanning/fileKind';
import { fileLabelOf, firstLines, readFirstLines } from './requestFile';

/**
 * Returns the document if it must be read instead of the file on disk. This applies to a document with unsaved changes, or a document that
 * is not stored as a file. `undefined` if the file on disk is up to date. Throws an error for the user if the file can't be read.
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
    throw new Error(vscode.l10n.t('Save {0} first.', fileLabelOf(uri)));
  }
  const found = await stat(uri.fsPath).catch(undefinedIfMissing);
  if (found?.isFile() !== true) {
    throw new Error(
      found === undefined ? vscode.l10n.t('File not found: {0}', uri.fsPath) : vscode.l10n.t('{0} is not a file.', uri.fsPath),
    );
  }
  return undefined;
}

/**
 * Calls `use` with the path of a file that has the current text. This is the file itself, or a snapshot of its document in `folder`. A
 * snapshot is deleted when `use` settles. `fromEditor` is true for a snapshot.
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
  return tabsOf(uri).some(({ isDirty, input }) => isDirty && input instanceof vscode.TabInputText);
}

/** Returns a stamp that changes when a program writes a file. `undefined` if the file can't be read. */
export async function diskStampOf(file: string): Promise<string | undefined> {
  return await stat(file).then(
    ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
    () => undefined,
  );
}

/** Returns whether the text of a file, from its editor or else from disk, has requests in another format. */
export async function isInAnotherForm(uri: vscode.Uri): Promise<boolean> {
  const open = openDocumentOf(uri);
  return needsConversion(open !== undefined ? firstLines(open) : uri.scheme === 'file' ? await readFirstLines(uri.fsPath) : []);
}

type SnapshotSource = Pick<vscode.TextDocument, 'uri' | 'lineCount' | 'eol' | 'version' | 'lineAt'>;

const linesPerPiece = 500;

/**
 * Returns the text of a document in chunks, encoded in UTF-8 exactly as VS Code saves it. Throws an error for the user if the document is
 * edited meanwhile.
 */
export async function* readDocument(document: SnapshotSource): AsyncGenerator<Buffer> {
  const { version, lineCount } = document;
  const lineBreak = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  for (let from = 0; from < lineCount; from += linesPerPiece) {
    if (document.version !== version) {
      throw new Error(vscode.l10n.t('{0} changed while it was being read. Try again.', fileLabelOf(document.uri)));
    }
    const lines: string[] = [];
    for (let line = from; line < Math.min(lineCount, from + linesPerPiece); line++) {
      lines.push(document.lineAt(line).text);
    }
    yield Buffer.from((from > 0 ? lineBreak : '') + lines.join(lineBreak));
    // Yields, so that the user can type while a large document is read.
    await new Promise(setImmediate);
  }
}

/**
 * Writes the text of a document to a new file in `folder` that only this user can read, and calls `use` with its path. Deletes the file
 * when `use` settles.
 */
export async function withSnapshot<T>(document: SnapshotSource, folder: string, use: (file: string) => Promise<T>): Promise<T> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `${randomUUID()}.jsonl`);
  try {
    await writeSnapshot(document, file);
    return await use(file);
  } finally {
    await rm(file, { force: true });
  }
}

/** Writes the text of a document to a new file that only this user can access. */
export async function writeSnapshot(document: SnapshotSource, file: string): Promise<void> {
  await writeFile(file, readDocument(document), { flag: 'wx', mode: 0o600 });
}
