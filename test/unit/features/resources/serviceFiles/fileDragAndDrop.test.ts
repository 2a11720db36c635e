import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { TreeNode } from '../../../../../src/common/tree/treeNode';
import { files } from '../../../../../src/features/resources/kinds/files';
import { keyOfNode, type ResourcesNode } from '../../../../../src/features/resources/resourceNodes';
import { dragIds, dropFiles } from '../../../../../src/features/resources/serviceFiles/fileDragAndDrop';

describe('features/resources/serviceFiles/fileDragAndDrop', () => {
  const toNode = (row: ResourcesNode) => new TreeNode(keyOfNode(row), undefined, row, new vscode.TreeItem(''));
  const node = (id: string) => toNode({ row: 'resource', connection: 'Lab', kind: 'file', id, of: files, value: { id } });

  it('carries the ids of the things, and nothing of groups', async () => {
    const data = new vscode.DataTransfer();
    dragIds([node('file_1'), toNode({ row: 'group', connection: 'Lab', kind: 'file', of: files }), node('file_2')], data);
    assert.equal(await data.get('text/plain')?.asString(), 'file_1\nfile_2');
  });

  it('says what can be dropped where nothing can be taken', async () => {
    const data = new vscode.DataTransfer();
    data.set('text/uri-list', new vscode.DataTransferItem('# a comment\r\n'));
    await assert.rejects(() => dropFiles(data), /Only files on this machine can be dropped here/);
  });
});
