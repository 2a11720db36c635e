import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Row } from '../../../../../src/shared/session/rows/rows';
import { TimelineLines } from '../../../../../src/webview/session/timeline/timelineLines';
import { TranscriptRows } from '../../../../../src/webview/session/transcriptRows';
import { runs } from '../../../../helpers/runs';
import { message, status, tool } from '../rows';

function linesOf(all: readonly Row[], passes?: (row: Row) => boolean): { rows: TranscriptRows; lines: TimelineLines } {
  const rows = new TranscriptRows();
  rows.apply({ at: 0, remove: 0, rows: all });
  const lines = new TimelineLines(rows);
  lines.filter(passes);
  return { rows, lines };
}

const isMessage = (row: Row): boolean => row.kind === 'agent';

function shown(lines: TimelineLines): readonly (string | undefined)[] {
  return Array.from({ length: lines.length }, (_, position) => lines.rowAt(position)?.key);
}

describe('webview/session/timeline/timelineLines', () => {
  it('shows the rows that pass, and finds them and what follows a hidden one', () => {
    const { lines } = linesOf([message(0), status(1), tool(2), message(3)], isMessage);
    assert.deepEqual(shown(lines), ['k0', 'k3']);
    assert.deepEqual([lines.positionOf('k3'), lines.positionOf('k1'), lines.positionOf('none')], [1, -1, -1]);
    assert.deepEqual([lines.positionFor(1), lines.indexOf('k3')], [1, 3]);
  });

  it('has after any changes the lines that it would be given anew', () => {
    const make = [status, message, tool] as const;
    const splice = fc.record({ at: fc.nat(12), remove: fc.nat(4), kinds: fc.array(fc.nat(make.length - 1), { maxLength: 5 }) });
    fc.assert(
      fc.property(fc.array(splice, { maxLength: 12 }), fc.boolean(), (splices, isFiltered) => {
        const { rows, lines } = linesOf([], isFiltered ? isMessage : undefined);
        const keys: (string | undefined)[] = [];
        let seq = 0;
        for (const { at, remove, kinds } of splices) {
          const change = lines.takeSplice(rows.apply({ at, remove, rows: kinds.map(kind => (make[kind] ?? status)(seq++)) }));
          const added = Array.from({ length: change.added }, (_, add) => lines.rowAt(change.from + add)?.key);
          keys.splice(change.from, change.removed, ...added);
          // A listener that follows the changes has all lines.
          assert.deepEqual(keys, shown(lines));
          assert.deepEqual(
            keys.map(key => lines.positionOf(key ?? '')),
            [...keys.keys()],
          );
          lines.filter(isFiltered ? isMessage : undefined);
          assert.deepEqual(keys, shown(lines));
        }
      }),
      { numRuns: runs(2000) },
    );
  });
});
