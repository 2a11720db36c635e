import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { confirmMany } from '../../../src/features/batches/sheet/confirmMany';
import { Sheets } from '../../../src/features/batches/sheet/sheets';
import { sheetViewType, whenNoSheet } from '../../../src/features/batches/sheet/whenNoSheet';
import type { CreateBatchDependencies } from '../../../src/features/batches/submitting/createBatchDependencies';
import { createSubmissionRegistry } from '../../../src/features/ledger/createSubmissionRegistry';
import { outgoingOf, report, selectedFrom, facts as someFacts } from '../../unit/features/batches/sheet/sheetUnderTest';
import { eventually } from '../eventually';
import { closeEditors } from '../useExtension';

describe('a sheet that a reloaded window brings back', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sheets-'));
  const registry = createSubmissionRegistry({ folder: path.join(folder, 'registry'), log: { warn: () => undefined } });
  const warnings: string[] = [];
  const sheets = new Sheets({
    registry,
    connections: { whenKnown: Promise.resolve(), current: undefined },
    log: { warn: (message: string) => warnings.push(message), error: (message: string) => warnings.push(message) },
    lifetime: new AbortController().signal,
    jobs: { keepReady: () => undefined },
  } as unknown as CreateBatchDependencies);

  after(async () => {
    sheets.dispose();
    await closeEditors();
    registry.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Whether the panel is closed once what was kept of it has been looked at. */
  async function isClosed(kept: unknown): Promise<boolean> {
    const panel = vscode.window.createWebviewPanel('test.sheet', 'Sheet', vscode.ViewColumn.Active);
    let closed = false;
    panel.onDidDispose(() => {
      closed = true;
    });
    await sheets.restore(panel, kept);
    return closed;
  }

  it('is closed where its chosen requests were not kept, or what was kept of it is something else', async () => {
    for (const kept of [
      { folds: [], mode: 'create' },
      { target: 'file:///a.jsonl', mode: 'create', chosen: { purpose: 'canary', lines: 'all', sha256: '', description: '' } },
      undefined,
      null,
      'sheet',
      { target: 7 },
      { target: 'file:///a.jsonl', mode: 'send' },
    ]) {
      assert.equal(await isClosed(kept), true, JSON.stringify(kept));
    }
    assert.deepEqual(warnings, []);
  });

  it('is closed where its file cannot be read any more, and leaves a word in the log alone', async () => {
    assert.equal(await isClosed({ target: vscode.Uri.file(path.join(folder, 'gone.jsonl')).toString(), mode: 'create' }), true);
    assert.match(warnings.join('\n'), /^A sheet could not be shown again: /);
    assert.equal(warnings.length, 1);
  });

  it('asks a second time of hundreds of batches, and sends none when the user turns back', async () => {
    const { showWarningMessage } = vscode.window;
    const asked: unknown[] = [];
    let answer: string | undefined;
    const ask = (async (message: string) => {
      asked.push(message);
      return answer;
    }) as typeof showWarningMessage;
    Object.assign(vscode.window, { showWarningMessage: ask });
    const facts = (count: number) => {
      const parts = Array.from({ length: count }, (_, index) => selectedFrom(index, 1, 10));
      return { ...someFacts, outgoing: { ...outgoingOf(report), parts } };
    };
    try {
      assert.equal(await confirmMany(someFacts), true);
      assert.equal(await confirmMany(facts(99)), true);
      assert.deepEqual(asked, []);
      assert.equal(await confirmMany(facts(240)), false);
      answer = 'Create 240 Batches';
      assert.equal(await confirmMany(facts(240)), true);
      assert.deepEqual(asked, ['Create 240 batches from one file?', 'Create 240 batches from one file?']);
    } finally {
      Object.assign(vscode.window, { showWarningMessage });
    }
  });

  it('keeps back what nobody asked for while the user is at it, and not while it merely stands beside something', async () => {
    const told: string[] = [];
    const panel = vscode.window.createWebviewPanel(sheetViewType, 'In Front', vscode.ViewColumn.Active);
    await eventually(isInFront);
    const telling = whenNoSheet().then(() => told.push('moved on'));
    const unrelated = vscode.window.createWebviewPanel('test.other', 'Other', {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
    });
    await eventually(() => vscode.window.tabGroups.all.length === 2);
    assert.deepEqual(told, []);
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
