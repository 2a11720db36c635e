import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { openWhereShown } from '../../../../src/common/documents/tabs';

describe('common/documents/tabs', () => {
  const { executeCommand } = vscode.commands;

  afterEach(() => {
    Reflect.deleteProperty(vscode.window, 'visibleTextEditors');
    Object.assign(vscode.commands, { executeCommand });
    Object.assign(vscode.window.tabGroups, { all: [] });
  });

  it('opens a document in the column where it is visible or has a tab, or else in the given one', async () => {
    const columns: unknown[] = [];
    const open = async (_: string, __: unknown, { viewColumn }: vscode.TextDocumentShowOptions) => columns.push(viewColumn);
    Object.assign(vscode.commands, { executeCommand: open });
    const uri = vscode.Uri.file('/batch.jsonl');
    const visible = [{ document: { uri }, viewColumn: 3 }];
    const withTab = [{ viewColumn: 2, tabs: [{ input: new vscode.TabInputText(uri) }] }];
    for (const [visibleTextEditors, all] of [
      [visible, withTab],
      [[], withTab],
      [[], []],
    ]) {
      Object.assign(vscode.window, { visibleTextEditors });
      Object.assign(vscode.window.tabGroups, { all });
      await openWhereShown(uri, 1);
    }
    assert.deepEqual(columns, [3, 2, 1]);
  });
});
