import type * as vscode from 'vscode';
import type { LineArgument } from '../../../contributions';

/** Target of a command for one request: the file, and a 0-based line in a version of the document. Without a line, the cursor's line. */
type RequestTarget = readonly [file: vscode.Uri | undefined, line: number | undefined, version: number | undefined];

/**
 * Parses the arguments of a command for one request. Menus pass other values after the URI. The line number menu passes a `LineArgument`.
 */
export function parseRequestTarget(target: vscode.Uri | LineArgument | undefined, line?: unknown, version?: unknown): RequestTarget {
  if (target !== undefined && 'lineNumber' in target) {
    return [target.uri, target.lineNumber - 1, undefined];
  }
  return [target, typeof line === 'number' ? line : undefined, typeof version === 'number' ? version : undefined];
}
