import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SentRows } from '../../../../../src/features/sessions/panel/sentRows';
import type { Row, RowSplice } from '../../../../../src/shared/session/rows/rows';

let count = 0;
const rowOf = (text = '', key = `row-${++count}`): Row => {
  return { key, kind: 'unknown', type: 'x', seq: count, at: undefined, summary: key, json: { type: 'json', text } };
};
const draft = (...texts: readonly string[]): Row => ({
  ...{ key: 'draft', kind: 'agent', type: 'agent.message', seq: 1, at: undefined, summary: texts.join(), preview: true },
  parts: texts.map(text => ({ type: 'text', text })),
});

const splicesOf = (next: ReturnType<SentRows['next']>) => {
  assert.ok(!('key' in next), 'splices');
  return next;
};
const shapes = (splices: readonly RowSplice[]) => splices.map(({ at, remove, rows }) => `${at}-${remove}+${rows.length}`);

describe('features/sessions/panel/sentRows', () => {
  it('produces the current rows, for any changes and any message size', () => {
    const step = fc.record({ at: fc.nat(1000), remove: fc.nat(4), add: fc.nat(4), changed: fc.nat(1000), takes: fc.nat(3) });
    fc.assert(
      fc.property(fc.nat(30), fc.array(step, { maxLength: 40 }), (size, steps) => {
        const current = Array.from({ length: size }, () => rowOf());
        const page: Row[] = [];
        const sent = new SentRows();
        const take = () => {
          const splices = splicesOf(sent.next(current, { rows: 3, characters: 1000 }));
          for (const { at, remove, rows } of splices) {
            assert.ok(at >= 0 && at + remove <= page.length, `a splice at ${at} of ${remove} in ${page.length} rows`);
            page.splice(at, remove, ...rows);
          }
          return splices.length > 0;
        };
        for (const { at, remove, add, changed, takes } of steps) {
          current.splice(at % (current.length + 1), remove, ...Array.from({ length: add }, () => rowOf()));
          const row = current[changed % Math.max(1, current.length)];
          if (row !== undefined) {
            current[current.indexOf(row)] = rowOf('changed', row.key);
          }
          for (let n = 0; n < takes; n++) {
            take();
          }
        }
        while (take()) {}
        assert.deepEqual(page, current);
      }),
    );
  });

  it('sends only changed rows, and nothing for equal ones', () => {
    const rows = Array.from({ length: 10 }, () => rowOf());
    const sent = new SentRows();
    assert.deepEqual(shapes(splicesOf(sent.next(rows))), ['0-0+10']);
    const changed = [...rows.map(row => ({ ...row })), rowOf()];
    for (const at of [2, 3, 7]) {
      changed[at] = rowOf('changed', rows[at]?.key);
    }
    assert.deepEqual(shapes(splicesOf(sent.next(changed))), ['10-0+1', '2-2+2', '7-1+1']);
    assert.deepEqual(sent.next(changed), []);
  });

  it('leaves the end in place when older rows are inserted before it', () => {
    const end = [rowOf(), rowOf()];
    const sent = new SentRows();
    sent.next(end);
    const whole = [rowOf(), rowOf(), rowOf(), ...end.map(({ key }) => rowOf('renumbered', key))];
    assert.deepEqual(shapes(splicesOf(sent.next(whole))), ['0-0+3', '3-2+2']);
  });

  it('sends at most the limit of rows and text, but at least one row', () => {
    const rows = [rowOf('x'.repeat(100_000)), rowOf(), rowOf(), rowOf()];
    const limits = { rows: 2, characters: 50_000 };
    const sent = new SentRows();
    assert.deepEqual(shapes(splicesOf(sent.next(rows, limits))), ['0-0+1']);
    assert.deepEqual(shapes(splicesOf(sent.next(rows, limits))), ['1-0+2']);
    assert.deepEqual(shapes(splicesOf(sent.next(rows, limits))), ['3-0+1']);
  });

  it('sends only the added text of a streaming message', () => {
    const sent = new SentRows();
    const first = rowOf();
    sent.next([first, draft('Hel')]);
    assert.deepEqual(sent.next([first, draft('Hello you')]), { key: 'draft', part: 0, text: 'lo you' });
    assert.deepEqual(sent.next([first, draft('Hello you', 'More')]), { key: 'draft', part: 1, text: 'More' });
    const other = rowOf();
    const grown = [first, draft('Hello you', 'More text'), other];
    assert.deepEqual(shapes(splicesOf(sent.next(grown))), ['2-0+1']);
    assert.deepEqual(sent.next(grown), { key: 'draft', part: 1, text: ' text' });
    assert.deepEqual(sent.next(grown), []);
    assert.deepEqual(shapes(splicesOf(sent.next([first, draft('Begun again'), other]))), ['1-1+1']);
  });
});
