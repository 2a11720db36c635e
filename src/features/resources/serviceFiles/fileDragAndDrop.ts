import * as vscode from 'vscode';
import { runCommand } from '../../../common/commands';
import type { TreeNode } from '../../../common/tree/treeNode';
import type { ResourcesNode } from '../resourcesTreeDataProvider';

/** Adds the IDs of rows to a drag operation, so that they can be dropped into an editor. */
export function dragIds(nodes: readonly TreeNode<ResourcesNode>[], data: vscode.DataTransfer): void {
  const ids = nodes.flatMap(({ row }) => row.id ?? []);
  data.set('text/plain', new vscode.DataTransferItem(ids.join('\n')));
}

/** Uploads files that were dropped from the explorer or the system. */
export async function dropFiles(data: vscode.DataTransfer): Promise<void> {
  const list = (await data.get('text/uri-list')?.asString()) ?? '';
  const listed = list.split(/\r?\n/).filter(line => line !== '' && !line.startsWith('#'));
  const dropped = [...data].flatMap(([, item]) => item.asFile()?.uri ?? []);
  const uris = listed.length > 0 ? listed.map(line => vscode.Uri.parse(line)) : dropped;
  const [first] = uris;
  if (first === undefined) {
    throw new Error(vscode.l10n.t('Only files on this machine can be dropped here.'));
  }
  await runCommand('managedAgents.serviceFile.upload', first, uris);
}
