import * as vscode from 'vscode';
import type { NodeTree } from './nodeTree';
import type { TreeNode } from './treeNode';

/** Creates a view that loads its tree when VS Code first requests rows. The caller connects the loaded tree with `follow`. */
export function createNodeTreeView<Row extends object>(
  id: string,
  load: () => Promise<NodeTree<Row>>,
  options: Omit<vscode.TreeViewOptions<TreeNode<Row>>, 'treeDataProvider'> = {},
): { readonly view: vscode.TreeView<TreeNode<Row>>; readonly follow: (tree: NodeTree<Row>) => void } & vscode.Disposable {
  const changed = new vscode.EventEmitter<TreeNode<Row>[] | undefined>();
  const view = vscode.window.createTreeView<TreeNode<Row>>(id, {
    ...options,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getTreeItem: ({ item }) => item,
      getChildren: async parent => (await load()).unfold(parent),
      getParent: ({ parent }) => parent,
      resolveTreeItem: async (item, node) => (await load()).resolveTreeItem(item, node),
    },
  });
  return {
    view,
    follow: tree => tree.onDidChangeTreeData(nodes => changed.fire(nodes)),
    dispose: () => {
      view.dispose();
      changed.dispose();
    },
  };
}
