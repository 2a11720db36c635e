import * as vscode from 'vscode';

/** Returns the open document of a URI, shown or not. */
export function openDocumentOf(uri: vscode.Uri): vscode.TextDocument | undefined {
  const key = uri.toString();
  return vscode.workspace.textDocuments.find(document => !document.isClosed && document.uri.toString() === key);
}
