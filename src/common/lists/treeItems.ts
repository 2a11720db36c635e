import * as vscode from 'vscode';
import { toLabel } from '../../shared/text';
import type { RowPresentation } from '../text/presentation';

/** Draws a row as its presentation says. */
export function decorate(item: vscode.TreeItem, row: RowPresentation): void {
  item.description = row.description;
  item.iconPath = new vscode.ThemeIcon(row.icon, row.color === undefined ? undefined : new vscode.ThemeColor(row.color));
  item.contextValue = row.abilities;
  item.accessibilityInformation = { label: row.spoken };
}

/** How rows look, to tell whether they differ from those drawn: VS Code shows its progress bar each time a tree says that it changed. */
export function looksOf(items: readonly vscode.TreeItem[]): string {
  return JSON.stringify(items.map(({ id, label, description, contextValue }) => [id, label, description, contextValue]));
}

/** The last row of a list while the service has more of it; `problem` says why more could not be loaded. */
export class LoadMoreTreeItem extends vscode.TreeItem {
  constructor(id: string, problem: string | undefined, command: vscode.Command) {
    super(problem === undefined ? vscode.l10n.t('Load More') : vscode.l10n.t('Could not load more. Try again'));
    this.id = id;
    this.iconPath = new vscode.ThemeIcon(problem === undefined ? 'ellipsis' : 'warning');
    // Without one VS Code would wait for the tree to resolve it.
    this.tooltip = problem === undefined ? vscode.l10n.t('Load More') : toLabel(problem, 1000);
    this.command = command;
  }
}
