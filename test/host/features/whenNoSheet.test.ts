import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { sheetViewType, whenNoSheet } from '../../../src/features/batches/sheet/whenNoSheet';
import { eventually } from '../eventually';
import { closeEditors } from '../useExtension';

describe('an open sheet', () => {
  after(closeEditors);

  it('holds back unrequested panels while the user works on it, and not while it is only visible beside', async () => {
    const steps: string[] = [];
    const panel = vscode.window.createWebviewPanel(sheetViewType, 'In Front', vscode.ViewColumn.Active);
    await eventually(isInFront);
    const telling = whenNoSheet().then(() => steps.push('moved on'));
    const unrelated = vscode.window.createWebviewPanel('test.other', 'Other', {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
    });
    await eventually(() => vscode.window.tabGroups.all.length === 2);
    assert.deepEqual(steps, []);
    unrelated.reveal();
    await telling;
    panel.reveal();
    await eventually(isInFront);
    const closing = whenNoSheet();
    panel.dispose();
    await closing;
    unrelated.dispose();
    await whenNoSheet();
  });
});

function isInFront(): boolean {
  return vscode.window.tabGroups.activeTabGroup.activeTab?.label === 'In Front';
}
