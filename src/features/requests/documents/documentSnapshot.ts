import { randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import type * as vscode from 'vscode';

/** The parts of `vscode.TextDocument` that a snapshot reads. */
export interface SnapshotSource {
  readonly lineCount: number;
  readonly eol: vscode.EndOfLine;
  readonly version: number;
  lineAt(line: number): { readonly text: string };
}

const linesPerPiece = 500;

/** Returns the text of a document in chunks, encoded in UTF-8 exactly as VS Code saves it. Throws if it is edited meanwhile. */
export async function* readDocument(document: SnapshotSource, changedMessage: string): AsyncGenerator<Buffer> {
  const { version, lineCount } = document;
  const lineBreak = document.eol === crlf ? '\r\n' : '\n';
  for (let from = 0; from < lineCount; from += linesPerPiece) {
    if (document.version !== version) {
      throw new Error(changedMessage);
    }
    const lines: string[] = [];
    for (let line = from; line < Math.min(lineCount, from + linesPerPiece); line++) {
      lines.push(document.lineAt(line).text);
    }
    yield Buffer.from((from > 0 ? lineBreak : '') + lines.join(lineBreak));
    // Lets the user type while a large document is read.
    await new Promise(setImmediate);
  }
}

// `vscode.EndOfLine.CRLF`, which does not exist outside the extension host.
const crlf = 2;

/**
 * Writes the text of a document to a new file in `folder` that only this user can read, and calls `use` with its path. Deletes the file
 * when `use` settles.
 */
export async function withSnapshot<T>(
  document: SnapshotSource,
  folder: string,
  changedMessage: string,
  use: (file: string) => Promise<T>,
): Promise<T> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `${randomUUID()}.jsonl`);
  try {
    await writeSnapshot(document, file, changedMessage);
    return await use(file);
  } finally {
    await rm(file, { force: true });
  }
}

/** Writes the text of a document to a new file that only this user can read. */
export async function writeSnapshot(document: SnapshotSource, file: string, changedMessage: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    for await (const piece of readDocument(document, changedMessage)) {
      await handle.writeFile(piece);
    }
  } finally {
    await handle.close();
  }
}
