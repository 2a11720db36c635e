import type * as vscode from 'vscode';

/** Returns whether a file name is that of a template. */
export function isTemplate(uri: vscode.Uri): boolean {
  return uri.path.endsWith(templateEnding);
}

export const templateEnding = '.batch-template.json';
