import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TreeRow } from '../../../../../src/common/tree/nodeTree';
import { TreeNode } from '../../../../../src/common/tree/treeNode';
import type { ResourcesNode } from '../../../../../src/features/resources/resourcesTreeDataProvider';
import { dragIds, dropFiles } from '../../../../../src/features/resources/serviceFiles/fileDragAndDrop';

describe('features/resources/serviceFiles/fileDragAndDrop', () => {
  const toNode = (id?: string) => {
    const row: ResourcesNode = { key: id ?? 'group', render: () => ({}) as TreeRow, ...(id !== undefined && { id }) };
    return new TreeNode(row.key, undefined, row, new vscode.TreeItem(''));
  };

  it('transfers the IDs of items, and nothing for groups', async () => {
    const data = new vscode.DataTransfer();
    dragIds([toNode('file_1'), toNode(), toNode('file_2')], data);
    assert.equal(await data.get('text/plain')?.asString(), 'file_1\nfile_2');
  });

  it('explains what can be dropped if nothing fits', async () => {
    const data = new vscode.DataTransfer();
    data.set('text/uri-list', new vscode.DataTransferItem('# a comment\r\n'));
    await assert.rejects(() => dropFiles(data), /Only files on this machine can be dropped here/);
  });
});
