import { open } from 'node:fs/promises';
import type * as vscode from 'vscode';

/** Where request files can be, as a document selector. */
export const requestFileSelector: readonly vscode.DocumentFilter[] = [
  { scheme: 'file', pattern: '**/*.{jsonl,ndjson,JSONL,NDJSON}' },
  { scheme: 'untitled', pattern: '**/*.{jsonl,ndjson}' },
  { scheme: 'untitled', language: 'jsonl' },
];

/** Whether a document may hold requests by where it is and what it is called; what stands in it decides. */
export function mayHoldRequests(document: vscode.TextDocument): boolean {
  return mayBeRequestFile(document.uri) || (document.uri.scheme === 'untitled' && document.languageId === 'jsonl');
}

/** Whether a URI names a `.jsonl` or `.ndjson` file, or an untitled document of such a name. */
export function mayBeRequestFile(uri: vscode.Uri): boolean {
  return (uri.scheme === 'file' || uri.scheme === 'untitled') && /\.(?:jsonl|ndjson)$/i.test(uri.path);
}

/**
 * The only line of a document that may come to hold requests: it begins with a brace, or is blank as all others are. Undefined
 * when there is more in it, or something else.
 */
export function onlyLine(document: vscode.TextDocument): number | undefined {
  if (!mayHoldRequests(document) || document.lineCount > sampleLines) {
    return undefined;
  }
  const lines = Array.from(firstLines(document), text => text.replace(/^\ufeff/, '').trim());
  const [line = 0, ...others] = lines.flatMap((text, index) => (text === '' ? [] : [index]));
  return others.length === 0 && /^(?:\{|$)/.test(lines[line] ?? '') ? line : undefined;
}

/** The first lines of a document, enough to tell what it holds. */
export function* firstLines(document: Pick<vscode.TextDocument, 'lineCount' | 'lineAt'>): Generator<string> {
  for (let line = 0; line < Math.min(document.lineCount, sampleLines); line++) {
    yield document.lineAt(line).text.slice(0, sampleCharacters);
  }
}

// What a line is shows at its begin; a line can have megabytes.
const sampleCharacters = 65_536;

/** Edits below these lines cannot change what a document is taken for. */
export const sampleLines = 20;

/** The first lines of a file on disk, as far as they lie in its first `bytes`; the last one may be cut. */
export async function readFirstLines(file: string, bytes = 262_144): Promise<readonly string[]> {
  const handle = await open(file, 'r');
  try {
    const buffer = Buffer.alloc(bytes);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    return buffer.toString('utf8', 0, bytesRead).split('\n').slice(0, sampleLines);
  } finally {
    await handle.close();
  }
}

/** The last part of a URI's path, for people. */
export function toFileName(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf('/') + 1);
}
