import * as vscode from 'vscode';
import { afterStart } from '../afterStart';
import { combine } from '../disposables';

/** Calls `act` with each open document after the start of the window, and with each document that is opened later. */
export function whenOpened(act: (document: vscode.TextDocument) => void): vscode.Disposable {
  return combine(
    afterStart(() => vscode.workspace.textDocuments.forEach(act)),
    vscode.workspace.onDidOpenTextDocument(act),
  );
}
