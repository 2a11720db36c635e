import type { TreeItem } from 'vscode';

/** Element of a `NodeTree`. Stays the same object while its row is in the tree. */
export class TreeNode<Row extends object = object> {
  /** Nodes below, in their order. `undefined` until the node is first unfolded. */
  children: readonly TreeNode<Row>[] | undefined;
  /** Argument of the commands in the row's menu. */
  target: object | undefined;
  /** Milliseconds since 1970 until which the item is up to date, unless the row changes. */
  until = Number.NEGATIVE_INFINITY;
  /** Serialized row, as VS Code last got it. */
  rendered = '';

  constructor(
    readonly key: string,
    readonly parent: TreeNode<Row> | undefined,
    public row: Row,
    public item: TreeItem,
  ) {}
}
