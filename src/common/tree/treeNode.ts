import type { TreeItem } from 'vscode';

/** Element of a `NodeTree`. Stays the same object while its row is in the tree. */
export class TreeNode<Row extends object = object> {
  /** Child nodes, in order. `undefined` until the node is first unfolded. */
  children: readonly TreeNode<Row>[] | undefined;
  /** Argument of the commands in the row's menu. */
  target: object | undefined;
  /** Time until which the item is up to date if the row doesn't change, in milliseconds since 1970. */
  until = Number.NEGATIVE_INFINITY;
  /** Serialized form of the row that VS Code received last. */
  rendered = '';

  constructor(
    readonly key: string,
    readonly parent: TreeNode<Row> | undefined,
    public row: Row,
    public item: TreeItem,
  ) {}
}
