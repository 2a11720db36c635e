import * as vscode from 'vscode';
import { nameOf } from '../documents/requestFile';
import type { EditedRequest } from './editedRequest';
import { differenceOf } from './textDifference';

/** Merges a change of the line into a document with unsaved changes, if they don't conflict, and reports it. */
export async function mergeIntoDocument(edited: EditedRequest, document: vscode.TextDocument): Promise<void> {
  const { t } = vscode.l10n;
  const unsaved = document.getText();
  const where = t('Line {0} of {1} was changed meanwhile', edited.line.line + 1, nameOf(edited.source));
  const lineBreak = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  const merged = edited.text.merge(unsaved)?.replaceAll('\n', lineBreak);
  if (merged === undefined) {
    vscode.window.setStatusBarMessage(`$(warning) ${where}; ${t('saving will let you compare')}`, 8000);
    return;
  }
  const { start, end, words } = differenceOf(unsaved, merged);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(edited.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), words);
  if (await vscode.workspace.applyEdit(edit)) {
    edited.text.acceptMerge();
    vscode.window.setStatusBarMessage(`$(git-merge) ${where}; ${t('both changes are here now')}`, 8000);
  }
}
