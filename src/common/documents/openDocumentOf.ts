import * as vscode from 'vscode';

/** Returns the open document of a URI, even if no editor shows it. */
export function openDocumentOf(uri: vscode.Uri): vscode.TextDocument | undefined {
  const key = uri.toString();
  return vscode.workspace.textDocuments.find(document => !document.isClosed && document.uri.toString() === key);
}
