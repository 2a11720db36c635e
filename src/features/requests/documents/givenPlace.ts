import type * as vscode from 'vscode';
import type { RequestPlace } from '../../../contributions';

/** Where a command on one request was run: the file, and unless it is the cursor's the 0-based line in a version of the document. */
export type GivenPlace = readonly [file: vscode.Uri | undefined, line: number | undefined, version: number | undefined];

/** Reads the arguments of a command on one request. Menus give other values after the URI, and that of line numbers a `RequestPlace`. */
export function toGivenPlace(target: vscode.Uri | RequestPlace | undefined, line?: unknown, version?: unknown): GivenPlace {
  if (target !== undefined && 'lineNumber' in target) {
    return [target.uri, target.lineNumber - 1, undefined];
  }
  return [target, typeof line === 'number' ? line : undefined, typeof version === 'number' ? version : undefined];
}
