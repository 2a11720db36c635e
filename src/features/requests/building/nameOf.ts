import path from 'node:path';
import type * as vscode from 'vscode';
import { toLabel } from '../../../shared/text';

/** The name of a file, for people. */
export function nameOf(uri: vscode.Uri): string {
  return toLabel(path.posix.basename(uri.path), 80);
}

/** Whether a file is a template by its name. */
export function isTemplate(uri: vscode.Uri): boolean {
  return uri.path.endsWith(templateEnding);
}

export const templateEnding = '.batch-template.json';
