import * as vscode from 'vscode';
import { combine } from '../disposables';

/** Returns the tabs that show only the document of a URI. */
export function tabsOf(uri: vscode.Uri): readonly vscode.Tab[] {
  const key = uri.toString();
  return allTabs().filter(
    ({ input }) => !(input instanceof vscode.TabInputTextDiff) && urisOf(input).some(shown => shown.toString() === key),
  );
}

/** Returns whether a document is open in a tab. VS Code keeps documents for a while after their tabs were closed. */
export function isShown(uri: vscode.Uri): boolean {
  const key = uri.toString();
  return (
    vscode.window.visibleTextEditors.some(({ document }) => document.uri.toString() === key) ||
    allTabs().some(({ input }) => urisOf(input).some(shown => shown.toString() === key))
  );
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

function urisOf(input: unknown): readonly vscode.Uri[] {
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) {
    return [input.uri];
  }
  return input instanceof vscode.TabInputTextDiff ? [input.original, input.modified] : [];
}
