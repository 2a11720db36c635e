import * as vscode from 'vscode';
import { showInformation } from '../../../common/asking/notifications';
import { CancelledError } from '../../../common/cancellation';
import { openDocumentOf } from '../../../common/documents/openDocumentOf';
import { isSameDocument } from './resourceFiles';

const largestFile = 4 * 1024 * 1024;

/** Asks in a notification, so that the editor stays readable. Throws a `CancelledError` unless the user chooses `act`. */
export async function confirmBeside(title: string, act: string, detail: string, stay: string): Promise<void> {
  if ((await showInformation(`${title} ${detail}`, act, stay)) !== act) {
    throw new CancelledError();
  }
}

/** Shows two documents in VS Code's diff editor. */
export async function showDiff(left: vscode.Uri, right: vscode.Uri, title: string, preview = true): Promise<void> {
  await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview } satisfies vscode.TextDocumentShowOptions);
}

/** Saves unsaved edits in all tabs of a document, because the user expects the visible text to be used. See `isSameDocument`. */
export async function saveOpenDocuments(uri: vscode.Uri): Promise<void> {
  for (const document of vscode.workspace.textDocuments) {
    if (document.isDirty && isSameDocument(document.uri, uri) && !(await document.save())) {
      throw new Error(vscode.l10n.t("Couldn't save the document."));
    }
  }
}

/** Closes the diffs of a document and of `texts`, because they are outdated after publishing. */
export async function closeDiffs(address: vscode.Uri, texts: readonly vscode.Uri[]): Promise<void> {
  const isOld = (uri: vscode.Uri) => isSameDocument(uri, address) || texts.some(text => text.toString() === uri.toString());
  const tabs = vscode.window.tabGroups.all
    .flatMap(group => group.tabs)
    .filter(({ input }) => input instanceof vscode.TabInputTextDiff && isOld(input.modified));
  await vscode.window.tabGroups.close(tabs);
}

/** Reverts unsaved edits in the tabs of a document. Does not ask, because the user has just chosen to discard them. */
export async function revertTabs(uri: vscode.Uri, close: boolean): Promise<void> {
  for (const tab of vscode.window.tabGroups.all.flatMap(group => group.tabs)) {
    if (!(tab.input instanceof vscode.TabInputText) || tab.input.uri.path !== uri.path) {
      continue;
    }
    if (tab.isDirty) {
      await vscode.window.showTextDocument(tab.input.uri);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
    if (close) {
      await vscode.window.tabGroups.close(tab);
    }
  }
}

/** Returns the content of a file, with unsaved edits. Throws an error with the message `tooLarge` if it exceeds 4 MB. */
export async function textOf(uri: vscode.Uri, tooLarge: string): Promise<string> {
  const open = openDocumentOf(uri);
  if (open !== undefined) {
    return open.getText();
  }
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > largestFile) {
    throw new Error(tooLarge);
  }
  return Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('utf8');
}
