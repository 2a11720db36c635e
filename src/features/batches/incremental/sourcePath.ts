import * as vscode from 'vscode';

/** The path of a source given as a URI string; undefined when it is no file of this machine. */
export function sourcePathOf(source: string): string | undefined {
  const uri = vscode.Uri.parse(source);
  return uri.scheme === 'file' ? uri.fsPath : undefined;
}
