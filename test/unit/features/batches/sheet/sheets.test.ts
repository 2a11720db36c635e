import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { BatchDependencies } from '../../../../../src/features/batches/batchDependencies';
import { Sheets } from '../../../../../src/features/batches/sheet/sheets';
import type { SubmissionRegistry } from '../../../../../src/features/ledger';
import { useFolder } from '../../../../helpers/useFolder';
import { submission, useLedger } from '../../ledger/ledgerOfTest';

describe('features/batches/sheet/sheets of a reloaded window', () => {
  const folder = useFolder();
  const ledger = useLedger();
  const warnings: string[] = [];
  let registry: SubmissionRegistry;
  let sheets: Sheets;

  beforeEach(() => {
    warnings.length = 0;
    registry = ledger.open();
    sheets = new Sheets({
      registry,
      connections: { whenKnown: Promise.resolve(), current: undefined },
      log: { warn: (message: string) => warnings.push(message), error: (message: string) => warnings.push(message) },
      lifetime: new AbortController().signal,
      jobs: { keepReady: () => undefined },
    } as unknown as BatchDependencies);
  });

  afterEach(() => sheets.dispose());

  /** Returns whether restoring a panel from this state closes the panel. */
  async function isClosed(kept: unknown): Promise<boolean> {
    let closed = false;
    const panel = {
      dispose: () => {
        closed = true;
      },
    } as vscode.WebviewPanel;
    await sheets.restore(panel, kept);
    return closed;
  }

  it('is closed if its stored state is invalid', async () => {
    for (const kept of [
      { folds: [] },
      { target: 'file:///a.jsonl', wish: { choice: 'canary' } },
      { target: 'file:///a.jsonl', mode: 'create', chosen: { purpose: 'changed', lines: '0', sha256: '', description: '' } },
      undefined,
      null,
      'sheet',
      { target: 7 },
    ]) {
      assert.equal(await isClosed(kept), true, JSON.stringify(kept));
    }
    assert.deepEqual(warnings, []);
  });

  it('is closed if requests of its file were sent since it was opened', async () => {
    const file = folder('sent.jsonl');
    writeFileSync(file, '{"custom_id":"a","params":{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"Hi"}]}}\n');
    const target = vscode.Uri.file(file).toString();
    await registry.load();
    await registry.save(submission(randomUUID(), 10, { source: target, batchId: 'batch_1' }));
    assert.equal(await isClosed({ target, shownAt: 9 * 60_000 }), true);
    assert.deepEqual(warnings, []);
  });

  it("is closed with a log entry if its file can't be read any more", async () => {
    assert.equal(await isClosed({ target: vscode.Uri.file(folder('gone.jsonl')).toString() }), true);
    assert.match(warnings.join('\n'), /^A sheet could not be shown again: /);
    assert.equal(warnings.length, 1);
  });
});
