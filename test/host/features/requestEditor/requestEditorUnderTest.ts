import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../../eventually';

export const whole = (id: string, words = 'Hello') =>
  `{"custom_id": "${id}", "params": {"model": "vendor-haiku-4-5", "max_tokens": 64, "messages": [{"role": "user", "content": "${words}"}], "x":  1.0}}`;

export const bare = (words: string) => `{"model":"vendor-haiku-4-5","max_tokens":64,"messages":[{"role":"user","content":"${words}"}]}`;

export const linesOf = (lines: readonly string[], lineBreak = '\n') => lines.map(line => line + lineBreak).join('');

/** Returns the document of a request, once its editor is active, shortly after the command has ended. */
export async function editLine(source: vscode.TextDocument | vscode.Uri, line: number): Promise<vscode.TextDocument> {
  await vscode.commands.executeCommand('managedAgents.request.edit', 'uri' in source ? source.uri : source, line);
  return await activeRequest();
}

/** Returns the document of the request in the active editor, once its path matches. */
export async function activeRequest(path = /./): Promise<vscode.TextDocument> {
  return await eventually(() => {
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.uri.scheme, 'managed-agents-request');
    assert.match(document?.uri.path ?? '', path);
    return document;
  });
}

/** Replaces the first occurrence of a text in a document. */
export async function replaceIn(document: vscode.TextDocument, from: string, to: string): Promise<void> {
  const start = document.getText().indexOf(from);
  assert.ok(start >= 0, `${from} is not in ${document.getText()}`);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(start + from.length)), to);
  assert.equal(await vscode.workspace.applyEdit(edit), true);
}

/** Undoes once in the editor of a document in the first column. */
export async function undoIn(document: vscode.TextDocument): Promise<void> {
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One });
  await vscode.commands.executeCommand('undo');
}

/** Saves without a key press, so that no question is asked. Rejects with the reason if the save is refused. */
export async function writeUnasked(document: vscode.TextDocument): Promise<void> {
  await vscode.workspace.fs.writeFile(document.uri, Buffer.from(document.getText()));
}

/** Resolves once a document contains a text. */
export async function holding(document: vscode.TextDocument, text: string): Promise<void> {
  await eventually(() => {
    assert.ok(document.getText().includes(text), `${text} is not in ${document.getText()}`);
    return true;
  });
}

/** Returns whether a problem is from this extension, not from VS Code's JSON service. */
export const isOurs = ({ source }: vscode.Diagnostic) => source === 'managed-agents';

/** Returns the rule of one of our problems. */
export const ruleOf = ({ code }: vscode.Diagnostic) => String(typeof code === 'object' ? code.value : code);
