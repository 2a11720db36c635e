import * as vscode from 'vscode';

/** Returns the path of a source, or `undefined` if it is not a local file. */
export function sourcePathOf(source: string): string | undefined {
  const uri = vscode.Uri.parse(source);
  return uri.scheme === 'file' ? uri.fsPath : undefined;
}
