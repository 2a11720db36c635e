import * as vscode from 'vscode';
import type { Translate } from '../../../common/text/translate';
import { type MemoryPathProblem, maxMemoryBytes } from '../../../contract/memoryPath';
import { numberFormat } from '../../../shared/formats';
import { decode } from '../documents/resourceUri';

export const memoryScheme = 'managed-agents-memory';

/** Memory or folder, by its path in a store. `/` is the store itself. */
export interface MemoryLocation {
  readonly connection: string;
  readonly storeId: string;
  /** Path on the service, without the trailing `/` of a folder. */
  readonly path: string;
}

/** Returns the URI path of a memory or folder. Percent-encodes characters that are invisible or change the path, and the percent sign. */
export function toUriPath({ connection, storeId, path }: MemoryLocation): string {
  const segments = path === '/' ? [] : path.split('/').slice(1);
  return `/${[connection, storeId, ...segments].map(encode).join('/')}`;
}

/** Parses a URI path. Returns `undefined` for any other path. */
export function parseUriPath(uriPath: string): MemoryLocation | undefined {
  const [connection, storeId, ...segments] = uriPath.replace(/\/$/, '').split('/').slice(1).map(decode);
  return connection === undefined || storeId === undefined || storeId === ''
    ? undefined
    : { connection, storeId, path: `/${segments.join('/')}` };
}

/** Invisible characters, controls of text direction, path separators of other systems, and the escape character. */
const unsafe = /[%/\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu;

function encode(segment: string): string {
  return /^\.{1,2}$/.test(segment) ? segment.replaceAll('.', '%2E') : segment.replace(unsafe, escapeOf);
}

function escapeOf(character: string): string {
  try {
    return encodeURIComponent(character);
  } catch {
    // Lone surrogate, which no path of the service contains.
    return '%EF%BF%BD';
  }
}

/** Returns the URI of a memory or folder. */
export function toMemoryUri(location: MemoryLocation): vscode.Uri {
  return vscode.Uri.from({ scheme: memoryScheme, path: toUriPath(location) });
}

/** Parses a memory URI. Throws for any other URI. */
export function memoryLocationOf(uri: vscode.Uri): MemoryLocation {
  const location = uri.scheme === memoryScheme ? parseUriPath(uri.path) : undefined;
  if (location === undefined) {
    throw vscode.FileSystemError.FileNotFound(uri);
  }
  return location;
}

/** Explains in a sentence why a memory path is invalid. */
export function describePathProblem(problem: MemoryPathProblem, translate: Translate): string {
  const start = translate('Enter a path that starts with "/".');
  const characters = translate('Remove spaces and invisible characters.');
  const words: Readonly<Record<MemoryPathProblem, string>> = {
    start,
    empty: start,
    long: translate('Use at most 1,024 bytes.'),
    segments: translate('A path can\'t have empty, "." or ".." segments.'),
    characters,
    form: characters,
  };
  return words[problem];
}

/** Explains in a sentence why a text is too large for a memory. Returns `undefined` if the text is small enough. */
export function describeTooLarge(bytes: number, translate: Translate, locale: string): string | undefined {
  const format = (count: number) => numberFormat(locale).format(count);
  return bytes <= maxMemoryBytes
    ? undefined
    : translate('A memory can have {0} bytes. This text has {1}.', format(maxMemoryBytes), format(bytes));
}
