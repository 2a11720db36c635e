import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PendingSplices } from '../../../../../src/features/sessions/panel/pendingSplices';
import type { Row, RowSplice } from '../../../../../src/shared/session/rows/rows';

let count = 0;
const rowOf = (text = ''): Row => {
  const key = `row-${++count}`;
  return { key, kind: 'unknown', type: 'x', seq: count, at: undefined, summary: key, json: { type: 'json', text } };
};

const apply = (rows: Row[], splices: readonly RowSplice[]) => {
  for (const { at, remove, rows: added } of splices) {
    assert.ok(at >= 0 && at + remove <= rows.length, `a splice at ${at} of ${remove} in ${rows.length} rows`);
    rows.splice(at, remove, ...added);
  }
  return rows.map(row => row.key);
};

describe('features/sessions/panel/live/pendingSplices', () => {
  it('does what was added, in order, however it is joined and taken', () => {
    const step = fc.record({ at: fc.nat(1000), remove: fc.nat(4), add: fc.nat(4), take: fc.nat(5) });
    fc.assert(
      fc.property(fc.nat(30), fc.array(step, { maxLength: 60 }), (size, steps) => {
        const start = Array.from({ length: size }, () => rowOf());
        const wanted = [...start];
        const got = [...start];
        const pending = new PendingSplices();
        for (const { at, remove, add, take } of steps) {
          const place = at % (wanted.length + 1);
          const splice = {
            at: place,
            remove: Math.min(remove, wanted.length - place),
            rows: Array.from({ length: add }, () => rowOf()),
          };
          apply(wanted, [splice]);
          pending.add(splice);
          if (take > 3) {
            apply(got, pending.take(3, 1000));
          }
        }
        while (!pending.isEmpty) {
          apply(got, pending.take(3, 1000));
        }
        assert.deepEqual(
          got.map(row => row.key),
          wanted.map(row => row.key),
        );
      }),
    );
  });

  it('keeps a storm of appended rows that are amended later as one splice', () => {
    const pending = new PendingSplices();
    for (let at = 100; at < 5100; at++) {
      pending.add({ at, remove: 0, rows: [rowOf()] });
      if (at > 110) {
        pending.add({ at: at - 10, remove: 1, rows: [rowOf()] });
      }
    }
    assert.deepEqual(
      pending.take(10_000, 1e9).map(({ at, remove, rows }) => [at, remove, rows.length]),
      [[100, 0, 5000]],
    );
  });

  it('joins appended rows though an old row changes in between', () => {
    const pending = new PendingSplices();
    for (let at = 100; at < 200; at++) {
      pending.add({ at, remove: 0, rows: [rowOf()] });
      pending.add({ at: 7, remove: 1, rows: [rowOf()] });
    }
    assert.equal(pending.take(10_000, 1e9).length, 2);
  });

  it('takes no more rows and text than asked for, but always a row', () => {
    const pending = new PendingSplices();
    pending.add({ at: 0, remove: 3, rows: [rowOf('x'.repeat(100_000)), rowOf(), rowOf(), rowOf()] });
    const first = pending.take(2, 50_000);
    assert.deepEqual(
      first.map(({ at, remove, rows }) => [at, remove, rows.length]),
      [[0, 3, 1]],
    );
    const second = pending.take(2, 50_000);
    assert.deepEqual(
      second.map(({ at, remove, rows }) => [at, remove, rows.length]),
      [[1, 0, 2]],
    );
    assert.equal(pending.isEmpty, false);
  });
});
