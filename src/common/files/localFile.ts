import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { StreamedBody } from '../../contract/streamedBody';
import { toByteSize, toLabel } from '../../shared/text';
import { fileNameOf } from './fileNameOf';

/** Maximum size of a file in bytes. Checked before anything is sent. */
const largestFile = 256 * 1024 * 1024;

/** Local file to upload, or the unsaved contents of its editor. */
export interface LocalFile {
  /** URI of the file and state of its contents. Contents with the same key are not uploaded twice. */
  readonly key: string;
  readonly name: string;
  /** Path in its workspace folder. For a file outside of the workspace, the file's name. */
  readonly relativePath: string;
  readonly byteLength: number;
  open(): Promise<StreamedBody>;
}

/** Returns a file with its unsaved changes. Throws for the user if it is not a file, or too large. */
export async function toLocalFile(uri: vscode.Uri): Promise<LocalFile> {
  const name = fileNameOf(uri);
  // For a file outside of the workspace, only the name is sent, because the folders are private.
  const relativePath = vscode.workspace.getWorkspaceFolder(uri) === undefined ? name : vscode.workspace.asRelativePath(uri);
  const dirty = vscode.workspace.textDocuments.find(document => document.uri.toString() === uri.toString() && document.isDirty);
  if (dirty !== undefined) {
    const bytes = new TextEncoder().encode(dirty.getText());
    return { key: keyOf(uri, `v${dirty.version}`), name, relativePath, byteLength: bytes.length, open: async () => bodyOf(bytes) };
  }
  if (uri.scheme !== 'file') {
    const bytes = await vscode.workspace.fs.readFile(uri);
    return { key: keyOf(uri, String(bytes.length)), name, relativePath, byteLength: bytes.length, open: async () => bodyOf(bytes) };
  }
  const found = await stat(uri.fsPath);
  if (!found.isFile()) {
    throw new Error(vscode.l10n.t('Not a file.'));
  }
  const { size, mtimeMs } = found;
  if (size > largestFile) {
    throw new Error(vscode.l10n.t('The file is larger than {0}.', toByteSize(largestFile, vscode.env.language)));
  }
  return { key: keyOf(uri, `${mtimeMs} ${size}`), name, relativePath, byteLength: size, open: () => openOnDisk(uri.fsPath, size) };
}

/** Opens a file of a known size. Throws if the size has changed since then. */
async function openOnDisk(file: string, expectedSize: number): Promise<StreamedBody> {
  const { size } = await stat(file);
  if (size !== expectedSize) {
    throw new Error(vscode.l10n.t('{0} has changed since you selected it. Select it again.', toLabel(path.basename(file), 80)));
  }
  return {
    byteLength: size,
    async *open(signal) {
      let sent = 0;
      for await (const piece of createReadStream(file, { end: Math.max(size - 1, 0), signal }) as AsyncIterable<Buffer>) {
        sent += piece.byteLength;
        if (sent <= size) {
          yield piece;
        }
      }
      if (sent !== size) {
        throw new Error(vscode.l10n.t('{0} changed while it was being sent.', toLabel(path.basename(file), 80)));
      }
    },
  };
}

function bodyOf(bytes: Uint8Array): StreamedBody {
  return {
    byteLength: bytes.length,
    async *open() {
      yield bytes;
    },
  };
}

function keyOf(uri: vscode.Uri, state: string): string {
  return `${uri.toString()}\n${state}`;
}

export function uriOfKey(key: string): string {
  return key.slice(0, key.indexOf('\n'));
}
