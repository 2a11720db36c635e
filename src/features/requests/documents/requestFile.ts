import { open } from 'node:fs/promises';
import * as vscode from 'vscode';
import { fileNameOf } from '../../../common/files/fileNameOf';
import type { LineArgument } from '../../../contributions';
import { toLabel } from '../../../shared/text';

export const requestFileSelector: readonly vscode.DocumentFilter[] = [
  { scheme: 'file', pattern: '**/*.{jsonl,ndjson,JSONL,NDJSON}' },
  { scheme: 'untitled', pattern: '**/*.{jsonl,ndjson}' },
  { scheme: 'untitled', language: 'jsonl' },
];

/** Returns whether a document may have requests, by its scheme, name and language. */
export function mayHoldRequests(document: vscode.TextDocument): boolean {
  return mayBeRequestFile(document.uri) || (document.uri.scheme === 'untitled' && document.languageId === 'jsonl');
}

/** Returns whether a URI has the extension `.jsonl` or `.ndjson`, on disk or untitled. */
export function mayBeRequestFile(uri: vscode.Uri): boolean {
  return (uri.scheme === 'file' || uri.scheme === 'untitled') && /\.(?:jsonl|ndjson)$/i.test(uri.path);
}

/**
 * Returns the number of the line that could become the first request: the only line with text, if it starts with a brace, or line 0 of a
 * blank document. `undefined` for any other document.
 */
export function onlyLine(document: vscode.TextDocument): number | undefined {
  if (!mayHoldRequests(document) || document.lineCount > sampleLines) {
    return undefined;
  }
  const lines = Array.from(firstLines(document), text => text.replace(/^\ufeff/, '').trim());
  const [line = 0, ...others] = lines.flatMap((text, index) => (text === '' ? [] : [index]));
  return others.length === 0 && /^(?:\{|$)/.test(lines[line] ?? '') ? line : undefined;
}

/** Returns the first lines of a document, enough to detect its kind. */
export function* firstLines(document: Pick<vscode.TextDocument, 'lineCount' | 'lineAt'>): Generator<string> {
  for (let line = 0; line < Math.min(document.lineCount, sampleLines); line++) {
    yield document.lineAt(line).text.slice(0, sampleCharacters);
  }
}

// The start of a line shows its kind. A line can be megabytes long.
const sampleCharacters = 65_536;

/** Number of lines that determine the kind of a document. */
export const sampleLines = 20;

/** Returns the first lines of a file on disk, from its first `bytes`. The last line may be incomplete. */
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

/** Returns the label of a file. */
export function fileLabelOf(uri: vscode.Uri): string {
  return toLabel(fileNameOf(uri), 80);
}

/** Scheme of the documents of single requests. */
export const requestScheme = 'managed-agents-request';

/**
 * Kind of a request document: a whole request, or bare message params. Each kind has its own schema, which VS Code selects by the end of
 * the file name.
 */
export type EditedKind = 'request' | 'params';

/**
 * Returns the URI of document `id`. The id is in the query, which VS Code does not show. The tab shows `name`, and the breadcrumbs show the
 * name of the source.
 */
export function toRequestUri(id: string, source: vscode.Uri, name: string, kind: EditedKind): vscode.Uri {
  const path = `/${toPart(fileNameOf(source))}/${toPart(name)}.${kind}.json`;
  return vscode.Uri.from({ scheme: requestScheme, path, query: id });
}

/** Returns the id in a URI, or `undefined` if the URI is not the URI of a request document. */
export function parseRequestUri(uri: vscode.Uri): string | undefined {
  return uri.scheme === requestScheme ? /^[\w-]+$/.exec(uri.query)?.[0] : undefined;
}

function toPart(name: string): string {
  return toLabel(name, 60)
    .replace(/[^\p{L}\p{N}_. ()-]/gu, '_')
    .replace(/^\.*$/, 'request');
}

/** Target of a command for one request. Defaults to the active file, and to the line of the cursor. */
export interface RequestTarget {
  readonly file: vscode.Uri | undefined;
  /** 0-based. */
  readonly line?: number | undefined;
  /** Version of the document in which the line has this number. */
  readonly version?: number | undefined;
}

/**
 * Parses the arguments of a command for one request. Menus pass other values after the URI, and the menu of line numbers passes a
 * `LineArgument`.
 */
export function parseRequestTarget(file: vscode.Uri | LineArgument | undefined, line?: unknown, version?: unknown): RequestTarget {
  if (file !== undefined && 'lineNumber' in file) {
    return { file: file.uri, line: file.lineNumber - 1 };
  }
  return { file, line: typeof line === 'number' ? line : undefined, version: typeof version === 'number' ? version : undefined };
}
