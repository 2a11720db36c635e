import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { nameOf } from './requestFile';

type SnapshotSource = Pick<vscode.TextDocument, 'uri' | 'lineCount' | 'eol' | 'version' | 'lineAt'>;

const linesPerPiece = 500;

/**
 * Returns the text of a document in chunks, encoded in UTF-8 exactly as VS Code saves it. Throws an error for the user if it is edited
 * meanwhile.
 */
export async function* readDocument(document: SnapshotSource): AsyncGenerator<Buffer> {
  const { version, lineCount } = document;
  const lineBreak = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  for (let from = 0; from < lineCount; from += linesPerPiece) {
    if (document.version !== version) {
      throw new Error(vscode.l10n.t('{0} changed while it was being read. Try again.', nameOf(document.uri)));
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
