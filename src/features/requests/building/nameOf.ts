import path from 'node:path';
import type * as vscode from 'vscode';
import { toLabel } from '../../../shared/text';

/** Returns the label of a file. */
export function nameOf(uri: vscode.Uri): string {
  return toLabel(path.posix.basename(uri.path), 80);
}

/** Returns whether a file name is that of a template. */
export function isTemplate(uri: vscode.Uri): boolean {
  return uri.path.endsWith(templateEnding);
}

export const templateEnding = '.batch-template.json';
