import assert from 'node:assert/strict';
import { TranscriptRows } from '../../../../src/webview/session/transcriptRows';
import { message, status, tool } from './rows';

describe('webview/session/transcriptRows', () => {
  it('keeps order and positions through appends, replacements and insertions', () => {
    const rows = new TranscriptRows();
    rows.apply({ at: 0, remove: 0, rows: [message(0), message(1), message(3)] });
    assert.equal(rows.indexOf('k3'), 2);
    rows.apply({ at: 2, remove: 0, rows: [message(2)] });
    assert.deepEqual(
      rows.all.map(({ key }) => [key, rows.indexOf(key)]),
      [
        ['k0', 0],
        ['k1', 1],
        ['k2', 2],
        ['k3', 3],
      ],
    );
    const { removed } = rows.apply({ at: 1, remove: 1, rows: [tool(9)] });
    assert.deepEqual(
      removed.map(({ key }) => key),
      ['k1'],
    );
    assert.equal(rows.indexOf('k1'), -1);
    assert.equal(rows.indexOf('k9'), 1);
    rows.apply({ at: 0, remove: 2, rows: [] });
    assert.deepEqual(
      rows.all.map(({ key }) => rows.indexOf(key)),
      [0, 1],
    );
  });

  it('counts errors and asks', () => {
    const rows = new TranscriptRows();
    rows.apply({ at: 0, remove: 0, rows: [message(0), tool(1, { state: 'waiting' }), tool(2, { state: 'failed' }), status(3)] });
    assert.deepEqual([rows.errors, rows.waiting], [1, 1]);
    rows.apply({ at: 1, remove: 1, rows: [tool(1)] });
    rows.apply({ at: 3, remove: 1, rows: [] });
    assert.deepEqual([rows.errors, rows.waiting], [1, 0]);
  });

  it('applies a splice of 200,000 rows, and one beyond the end', () => {
    const rows = new TranscriptRows();
    rows.apply({ at: 0, remove: 0, rows: [message(-1)] });
    rows.apply({ at: 0, remove: 0, rows: Array.from({ length: 200_000 }, (_, seq) => status(seq)) });
    assert.equal(rows.length, 200_001);
    assert.equal(rows.indexOf('k-1'), 200_000);
    const { at, removed } = rows.apply({ at: 500_000, remove: 5, rows: [message(7_000_000)] });
    assert.deepEqual([at, removed.length], [200_001, 0]);
  });
});
