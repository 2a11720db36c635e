import * as vscode from 'vscode';
import { afterStart } from '../afterStart';
import { combine } from '../disposables';

/** Calls `act` with each open document after the start of the window, and with each document that is opened later. */
export function whenOpened(act: (document: vscode.TextDocument) => unknown): vscode.Disposable {
  return combine(
    afterStart(() => vscode.workspace.textDocuments.forEach(act)),
    vscode.workspace.onDidOpenTextDocument(act),
  );
}

/** Calls `act` for each open document that matches, as `whenOpened` does. */
export function whenMatching(documents: vscode.DocumentSelector, act: () => void): vscode.Disposable {
  return whenOpened(document => vscode.languages.match(documents, document) > 0 && act());
}
