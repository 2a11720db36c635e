import * as vscode from 'vscode';
import { combine } from '../disposables';

/** Returns the tabs that show only the document of a URI. */
export function tabsOf(uri: vscode.Uri): readonly vscode.Tab[] {
  const key = uri.toString();
  return allTabs().filter(
    ({ input }) => !(input instanceof vscode.TabInputTextDiff) && urisOf(input).some(shown => shown.toString() === key),
  );
}

/** Opens a document where it is visible or has a tab, or else in `viewColumn`. Also opens files too big for extensions. */
export async function openWhereShown(uri: vscode.Uri, viewColumn: vscode.ViewColumn, selection?: vscode.Range): Promise<void> {
  const key = uri.toString();
  const shown = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === key);
  const group = vscode.window.tabGroups.all.find(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === key),
  );
  const column = shown?.viewColumn ?? group?.viewColumn ?? viewColumn;
  const options: vscode.TextDocumentShowOptions = { viewColumn: column, ...(selection && { selection }) };
  await vscode.commands.executeCommand('vscode.open', uri, options);
}

/** Returns whether a document is visible or open in a tab. VS Code keeps documents for a while after their tabs were closed. */
export function isShown(uri: vscode.Uri): boolean {
  return vscode.window.visibleTextEditors.some(({ document }) => document.uri.toString() === uri.toString()) || isInTab(uri);
}

/** Returns whether a tab shows a document or a diff with the document. */
export function isInTab(uri: vscode.Uri): boolean {
  return allTabs().some(({ input }) => urisOf(input).some(shown => shown.toString() === uri.toString()));
}

/** Calls back when the result of `isShown` may have changed for a document. */
export function onDidChangeShown(callback: () => void): vscode.Disposable {
  return combine(
    vscode.window.tabGroups.onDidChangeTabs(callback),
    vscode.window.tabGroups.onDidChangeTabGroups(callback),
    vscode.window.onDidChangeVisibleTextEditors(callback),
  );
}

function allTabs(): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(group => group.tabs);
}

export function urisOf(input: unknown): readonly vscode.Uri[] {
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) {
    return [input.uri];
  }
  return input instanceof vscode.TabInputTextDiff ? [input.original, input.modified] : [];
}
