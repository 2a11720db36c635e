import * as vscode from 'vscode';
import { toLabel } from '../../shared/text';
import type { RowPresentation } from '../text/presentation';

/** Applies a row's presentation to a tree item. */
export function decorate(item: vscode.TreeItem, row: RowPresentation): void {
  item.description = row.description;
  if (row.icon !== '') {
    item.iconPath = new vscode.ThemeIcon(row.icon, row.color === undefined ? undefined : new vscode.ThemeColor(row.color));
  }
  item.contextValue = row.abilities;
  item.accessibilityInformation = { label: row.spoken };
}

/** A row as its presentation says. */
export function toTreeItem(id: string, row: RowPresentation, state: vscode.TreeItemCollapsibleState): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label, state);
  item.id = id;
  decorate(item, row);
  return item;
}

/** Rows that are drawn again one by one at most; where more look different VS Code is quicker with all of them. */
export const fewRows = 200;

/** How a row looks, with what a click on it does. */
export function lookOf({ id, label, description, contextValue, iconPath, command }: vscode.TreeItem): string {
  const icon = iconPath instanceof vscode.ThemeIcon ? [iconPath.id, iconPath.color?.id] : [];
  return JSON.stringify([id, label, description, contextValue, icon, command?.command]);
}

/** A row as it is now, where VS Code knows it as `before`: the same object, which is told anew what is seen when it is pointed at. */
export function redrawn<Item extends vscode.TreeItem>(before: Item | undefined, now: Item): Item {
  if (before === undefined) {
    return now;
  }
  const has = new Set(Object.keys(now));
  const isOver = (name: string) => name === 'tooltip' || !has.has(name);
  return Object.assign(
    before,
    Object.fromEntries(
      Object.keys(before)
        .filter(isOver)
        .map(name => [name, undefined]),
    ),
    now,
  );
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
