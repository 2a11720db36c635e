import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Row } from '../../../../../src/shared/session/rows/rows';
import { isBookkeeping, mayFold } from '../../../../../src/webview/session/timeline/bookkeeping';
import { TimelineLines } from '../../../../../src/webview/session/timeline/timelineLines';
import { TranscriptRows } from '../../../../../src/webview/session/transcriptRows';
import { runs } from '../../../../helpers/runs';
import { message, status, tool } from '../rows';

function model(seq: number, changes: object = {}): Row {
  const base = { key: `k${seq}`, type: 'span.model_request_start', seq, at: undefined, summary: '' } as const;
  return { ...base, kind: 'model', ended: true, isError: false, ...changes };
}

function linesOf(all: readonly Row[], passes?: (row: Row) => boolean): { rows: TranscriptRows; lines: TimelineLines } {
  const rows = new TranscriptRows();
  rows.apply({ at: 0, remove: 0, rows: all });
  const lines = new TimelineLines(rows);
  lines.arrange(passes, isBookkeeping);
  return { rows, lines };
}

/** Each line as its key, or how many rows it holds. */
function shown(lines: TimelineLines): readonly string[] {
  return Array.from({ length: lines.length }, (_, position) => {
    const fold = lines.foldAt(position);
    return fold === undefined ? (lines.rowAt(position)?.key ?? '') : `${fold.isOpen ? '-' : '+'}${fold.count}`;
  });
}

describe('webview/session/timeline/timelineLines', () => {
  it('folds two or more rows of bookkeeping that follow each other, and leaves a single one', () => {
    const { lines } = linesOf([message(0), status(1), model(2), message(3), status(4), tool(5), model(6), status(7), model(8)]);
    assert.deepEqual(shown(lines), ['k0', '+2', 'k3', 'k4', 'k5', '+3']);
    assert.deepEqual([lines.positionOf('k1'), lines.positionOf('fold k1'), lines.positionOf('k3')], [-1, 1, 2]);
    assert.deepEqual([lines.positionFor(2), lines.positionFor(8)], [1, 5]);
  });

  it('opens by its own key or by that of a row in it, and closes by either', () => {
    const { lines } = linesOf([message(0), status(1), model(2), message(3)]);
    assert.notEqual(lines.setOpen('k2', true), undefined);
    assert.deepEqual(shown(lines), ['k0', '-2', 'k1', 'k2', 'k3']);
    assert.deepEqual([lines.positionOf('fold k1'), lines.positionOf('k1')], [1, 2]);
    assert.equal(lines.setOpen('fold k1', true), undefined);
    assert.notEqual(lines.setOpen('k2', false), undefined);
    assert.notEqual(lines.setOpen('fold k1', true), undefined);
    assert.equal(lines.setOpen('k0', true), undefined);
    assert.equal(lines.setOpen('none', true), undefined);
  });

  it('keeps a fold open that grows, and folds across rows that do not pass', () => {
    const { rows, lines } = linesOf([status(0), message(1), model(2)], row => row.kind !== 'agent');
    assert.deepEqual(shown(lines), ['+2']);
    lines.setOpen('k0', true);
    lines.takeSplice(rows.apply({ at: 3, remove: 0, rows: [model(3)] }));
    assert.deepEqual(shown(lines), ['-3', 'k0', 'k2', 'k3']);
  });

  it('folds nothing that failed, waits, ends, goes on or is not known', () => {
    const told = (changes: object): boolean => isBookkeeping({ ...status(0), ...changes } as Row);
    assert.deepEqual([told({}), told({ status: 'idle' }), told({ status: 'idle', stopReason: 'end_turn' })], [true, true, true]);
    for (const changes of [
      { status: 'idle', stopReason: 'requires_action', waitsFor: ['x'] },
      { status: 'idle', stopReason: 'retries_exhausted' },
      { status: 'idle', stopReason: 'of_tomorrow' },
      { status: 'rescheduled' },
      { status: 'terminated' },
      { status: 'interrupt' },
      { status: 'of_tomorrow' },
      model(0, { isError: true }),
      model(0, { ended: false }),
      tool(0),
      message(0),
      { kind: 'unknown' },
      { kind: 'error' },
      { kind: 'gap' },
    ]) {
      assert.equal(told(changes), false, JSON.stringify(changes));
    }
  });

  it('folds nothing where only rows of bookkeeping were asked for', () => {
    const counts = new Map([['agent', 1] as const, ['tool', 0] as const]);
    const told = [undefined, ['status', 'agent'] as const, ['status', 'usage'] as const, ['status', 'tool'] as const];
    assert.deepEqual(
      told.map(kinds => mayFold(kinds && new Set(kinds), counts)),
      [true, true, false, false],
    );
  });

  it('has after any changes the lines that it would be given anew', () => {
    const make = [status, model, (seq: number) => model(seq, { ended: false }), message, tool] as const;
    const splice = fc.record({
      at: fc.nat(12),
      remove: fc.nat(4),
      kinds: fc.array(fc.nat(make.length - 1), { maxLength: 5 }),
      opens: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(splice, { maxLength: 12 }), fc.boolean(), (splices, isFiltered) => {
        const passes = isFiltered ? (row: Row) => row.kind !== 'tool' : undefined;
        const { rows, lines } = linesOf([], passes);
        const keys: string[] = [];
        let seq = 0;
        for (const { at, remove, kinds, opens } of splices) {
          const change = lines.takeSplice(rows.apply({ at, remove, rows: kinds.map(kind => (make[kind] ?? status)(seq++)) }));
          keys.splice(
            change.from,
            change.removed,
            ...Array.from({ length: change.added }, (_, add) => lines.keyAt(change.from + add) ?? ''),
          );
          for (const position of change.changed) {
            keys[position] = lines.keyAt(position) ?? '';
          }
          const fold = lines.foldAt(at);
          if (opens && fold !== undefined) {
            const opened = lines.setOpen(fold.key, !fold.isOpen);
            assert.notEqual(opened, undefined);
            keys.splice(opened?.from ?? 0);
            while (keys.length < lines.length) {
              keys.push(lines.keyAt(keys.length) ?? '');
            }
          }
          const told = shown(lines);
          // Who follows the changes knows all lines.
          assert.deepEqual(
            keys,
            told.map((_, position) => lines.keyAt(position)),
          );
          for (const [position, key] of keys.entries()) {
            assert.equal(lines.positionOf(key), position);
          }
          lines.arrange(passes, isBookkeeping);
          assert.deepEqual(told, shown(lines));
        }
      }),
      { numRuns: runs(2000) },
    );
  });
});
