import type * as vscode from 'vscode';
import type { LineArgument } from '../../../contributions';

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
