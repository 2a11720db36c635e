import assert from 'node:assert/strict';
import { fromWebviewSchema, resultsStateSchema } from '../../../../src/shared/results/fromResultsSchema';

describe('shared/results/fromResultsSchema', () => {
  it("accepts the panel's messages", () => {
    for (const message of [
      { type: 'ready' },
      { type: 'arrange', request: 1, query: 'status=errored', order: { by: 'id', isDescending: true }, keep: '__proto__' },
      { type: 'window', revision: 3, from: 99_950, count: 50 },
      { type: 'actOnRows', revision: 3, ranges: [[0, 100_000]], act: 'copyRows' },
      { type: 'pair', revision: 3, place: 5, act: 'goToLine' },
      { type: 'act', act: 'export' },
      { type: 'arrange', request: 1, query: '', order: { by: '$.items.0.score', isDescending: false } },
      { type: 'columns', columns: [{ name: 'words' }, { name: '$.label', width: 120 }] },
    ]) {
      assert.equal(fromWebviewSchema.safeParse(message).success, true, JSON.stringify(message));
    }
  });

  it('rejects everything else: commands, paths, extra fields, and invalid positions', () => {
    for (const message of [
      { type: 'act', act: 'workbench.action.quit' },
      { type: 'act', act: 'export', path: '/etc/passwd' },
      { type: 'window', revision: 3, from: 0, count: 100_000 },
      { type: 'window', revision: 3, from: -1, count: 50 },
      { type: 'arrange', request: 1, query: 'x'.repeat(20_001) },
      { type: 'actOnRows', revision: 3, ranges: [[0, 1.5]], act: 'copyRows' },
      { type: 'actOnRows', revision: 3, ranges: [[0, 1]], act: 'html' },
      { type: 'arrange', request: 1, query: '', order: { by: 'rowid; drop', isDescending: true } },
      { type: 'columns', columns: [{ name: 'path' }] },
      { type: 'columns', columns: [{ name: 'id', width: 1e6 }] },
      null,
    ]) {
      assert.equal(fromWebviewSchema.safeParse(message).success, false, JSON.stringify(message));
    }
  });

  it('restores only which results a panel showed', () => {
    assert.deepEqual(resultsStateSchema.parse({ runId: 'r1', query: 'x', memory: {} }), { runId: 'r1' });
  });
});
