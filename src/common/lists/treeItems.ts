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

/** Returns a tree item for a row's presentation. */
export function toTreeItem(id: string, row: RowPresentation, state: vscode.TreeItemCollapsibleState): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label, state);
  item.id = id;
  decorate(item, row);
  return item;
}

/** Maximum number of rows that are redrawn one by one. VS Code redraws the whole tree faster than more of them. */
export const fewRows = 200;

/** Returns a row's appearance and the command of a click, as a comparable string. */
export function lookOf({ id, label, description, contextValue, iconPath, command }: vscode.TreeItem): string {
  const icon = iconPath instanceof vscode.ThemeIcon ? [iconPath.id, iconPath.color?.id] : [];
  return JSON.stringify([id, label, description, contextValue, icon, command?.command]);
}

/** Returns the item VS Code already knows, updated to look like `now`. Its hover is resolved again. */
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

/** Last row of a list that has more pages. `problem` says why the next page could not be loaded. */
export class LoadMoreTreeItem extends vscode.TreeItem {
  constructor(id: string, problem: string | undefined, command: vscode.Command) {
    super(problem === undefined ? vscode.l10n.t('Load More') : vscode.l10n.t('Could not load more. Try again'));
    this.id = id;
    this.iconPath = new vscode.ThemeIcon(problem === undefined ? 'ellipsis' : 'warning');
    // VS Code resolves items without a tooltip.
    this.tooltip = problem === undefined ? vscode.l10n.t('Load More') : toLabel(problem, 1000);
    this.command = command;
  }
}
