import * as vscode from 'vscode';
import { toLabel } from '../../shared/text';
import { toCommandLinks } from '../commands';
import type { RowPresentation } from '../text/presentation';
import { TreeNode } from './treeNode';

export interface TreeRow extends RowPresentation {
  /** Initial state of a row with children. Absent for a row without children. */
  readonly folding?: 'collapsed' | 'expanded';
  readonly command?: vscode.Command;
  /** Argument of the commands in the row's menu. */
  readonly target?: object;
  /** Plain text. Rows without it get the hover of the source. */
  readonly tooltip?: string;
  /** Text that changes with the content of the hover, so that VS Code requests the hover again. */
  readonly hoverVersion?: string;
  /** Time until which the row is up to date if its data doesn't change, in milliseconds since 1970. */
  readonly until?: number;
}

/** Rows of a tree. An unchanged row must be the same object, because only new objects and rows past their `until` are rendered again. */
interface TreeSource<Row extends object> {
  roots(): readonly Row[];
  below(row: Row): readonly Row[];
  /** Loads the rows below a row that the user unfolds. */
  load?(row: Row): Promise<void>;
  /** Returns a key of the row that is unique in the tree and stays the same when the row changes. */
  key(row: Row): string;
  render(row: Row): TreeRow;
  hover(row: Row): Promise<string>;
  hoverActs?(row: Row): readonly vscode.Command[];
  now(): number;
}

/** Maximum number of rows to redraw one by one. If more rows changed, redrawing the whole tree is faster. */
const maxSingleRows = 200;

/**
 * Tree that is recomputed from its source as a whole and reports the changed rows to VS Code. VS Code loses the expanded and selected rows
 * when it redraws a whole tree, so unchanged rows are left alone. Child rows are created when their parent is first unfolded.
 */
export class NodeTree<Row extends object> implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<TreeNode<Row>[] | undefined>();
  /** Fires with the nodes to redraw, or with `undefined` for the whole tree. */
  readonly onDidChangeTreeData = this.changed.event;
  private roots: readonly TreeNode<Row>[] | undefined;
  private nodes = new Map<string, TreeNode<Row>>();

  constructor(private readonly source: TreeSource<Row>) {}

  /** Redraws the rows whose content or children changed, or the whole tree if its roots changed. */
  refresh(): void {
    if (this.roots === undefined) {
      return;
    }
    const { hasOtherRoots, changed } = this.recompute();
    if (hasOtherRoots || changed.length > maxSingleRows) {
      this.changed.fire(undefined);
    } else if (changed.length > 0) {
      this.changed.fire(changed);
    }
  }

  /** Loads and returns the children of a node that the user unfolds. Without a node, returns the roots. */
  async unfold(parent?: TreeNode<Row>): Promise<TreeNode<Row>[]> {
    if (parent !== undefined && this.source.load !== undefined) {
      await this.source.load(parent.row);
      parent.children = undefined;
    }
    return this.getChildren(parent);
  }

  /** Returns the children of a node, or the roots. A node that left the tree keeps its last children. */
  getChildren(parent?: TreeNode<Row>): TreeNode<Row>[] {
    if (parent === undefined) {
      if (this.roots === undefined) {
        this.recompute();
      }
      return [...(this.roots ?? [])];
    }
    if (this.nodes.get(parent.key) === parent) {
      parent.children ??= this.source.below(parent.row).map(row => this.nodeOf(row, parent, this.nodes).node);
    }
    return [...(parent.children ?? [])];
  }

  async resolveTreeItem(item: vscode.TreeItem, { row }: TreeNode<Row>): Promise<vscode.TreeItem> {
    const hover = await this.source.hover(row);
    const acts = this.source.hoverActs?.(row) ?? [];
    item.tooltip = acts.length === 0 ? new vscode.MarkdownString(hover) : toCommandLinks(acts, hover);
    return item;
  }

  dispose(): void {
    this.changed.dispose();
  }

  private recompute(): { readonly hasOtherRoots: boolean; readonly changed: TreeNode<Row>[] } {
    const nodes = new Map<string, TreeNode<Row>>();
    const changed: TreeNode<Row>[] = [];
    /** Updates the nodes of some rows. `isRedrawn` is true if an ancestor is redrawn, because VS Code then also redraws these rows. */
    const updateNodes = (rows: readonly Row[], parent: TreeNode<Row> | undefined, isRedrawn: boolean): readonly TreeNode<Row>[] =>
      rows.map(row => {
        const { node, isOther } = this.nodeOf(row, parent, nodes);
        const before = node.children;
        let isChanged = isOther;
        if (before !== undefined) {
          const below = this.source.below(row);
          isChanged ||= below.length !== before.length || below.some((one, index) => this.source.key(one) !== before[index]?.key);
          node.children = updateNodes(below, node, isRedrawn || isChanged);
        }
        if (isChanged && !isRedrawn) {
          changed.push(node);
        }
        return node;
      });
    const before = this.roots;
    this.roots = updateNodes(this.source.roots(), undefined, false);
    this.nodes = nodes;
    const hasOtherRoots = before?.length !== this.roots.length || this.roots.some((node, index) => node !== before[index]);
    return { hasOtherRoots, changed };
  }

  /** Returns the node of a row and whether the node's content changed. Renders the node again if needed, and adds it to `nodes`. */
  private nodeOf(
    row: Row,
    parent: TreeNode<Row> | undefined,
    nodes: Map<string, TreeNode<Row>>,
  ): { readonly node: TreeNode<Row>; readonly isOther: boolean } {
    const key = this.source.key(row);
    const known = this.nodes.get(key);
    const before = known?.parent === parent ? known : undefined;
    const node = before ?? new TreeNode(key, parent, row, new vscode.TreeItem(''));
    nodes.set(key, node);
    if (node.row === row && this.source.now() < node.until) {
      return { node, isOther: false };
    }
    const shown = this.source.render(row);
    const rendered = serialize(shown);
    const isOther = before !== undefined && rendered !== node.rendered;
    if (rendered !== node.rendered) {
      node.item = toItem(key, shown);
      node.rendered = rendered;
      // VS Code requests the children again when the row can be unfolded.
      node.children = shown.folding === undefined ? undefined : node.children;
    }
    node.row = row;
    node.target = shown.target;
    node.until = shown.until ?? Number.POSITIVE_INFINITY;
    return { node, isOther };
  }
}

/** Returns the last row of a list that has more pages. `problem` says why the next page could not be loaded. */
export function loadMoreRow(problem: string | undefined, command: vscode.Command): TreeRow {
  const label = problem === undefined ? vscode.l10n.t('Load More') : vscode.l10n.t("Couldn't load more. Try again");
  return {
    ...{ label, description: '', icon: problem === undefined ? 'ellipsis' : 'warning', color: undefined, abilities: '', spoken: label },
    ...{ tooltip: problem === undefined ? label : toLabel(problem, 1000), command },
  };
}

function serialize({ label, description, icon, color, abilities, spoken, folding, command, tooltip, hoverVersion }: TreeRow): string {
  return JSON.stringify([label, description, icon, color, abilities, spoken, folding, command, tooltip, hoverVersion]);
}

function toItem(key: string, row: TreeRow): vscode.TreeItem {
  const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(row.label, row.folding === undefined ? None : row.folding === 'expanded' ? Expanded : Collapsed);
  item.id = key;
  item.description = row.description;
  if (row.icon !== '') {
    item.iconPath = new vscode.ThemeIcon(row.icon, row.color === undefined ? undefined : new vscode.ThemeColor(row.color));
  }
  item.contextValue = row.abilities;
  item.accessibilityInformation = { label: row.spoken };
  if (row.tooltip !== undefined) {
    // VS Code resolves only items without a tooltip.
    item.tooltip = row.tooltip;
  }
  if (row.command !== undefined) {
    item.command = row.command;
  }
  return item;
}
