import assert from 'node:assert/strict';
import { RowSearch } from '../../../../../src/webview/session/timeline/rowSearch';
import { TranscriptRows } from '../../../../../src/webview/session/transcriptRows';
import { message, tool } from '../rows';

const none: ReadonlySet<string> = new Set();

function searchOf(count: number, now: () => number = () => 0): { rows: TranscriptRows; search: RowSearch } {
  const rows = new TranscriptRows();
  rows.apply({ at: 0, remove: 0, rows: Array.from({ length: count }, (_, seq) => message(seq)) });
  return { rows, search: new RowSearch(rows, now) };
}

describe('webview/session/toolbar/rowSearch', () => {
  it('finds text in every part of a row, whatever its case and signs', () => {
    const { rows, search } = searchOf(0);
    rows.apply({ at: 0, remove: 0, rows: [message(0, 'Straße a.b(c)'), tool(1), message(2, 'nothing')] });
    const find = (query: string): readonly string[] => {
      search.begin({ passes: undefined, query, hits: none });
      search.step();
      return [...search.matches];
    };
    assert.deepEqual(find('A.B(C'), ['k0']);
    assert.deepEqual(find('readme'), ['k1']);
    assert.deepEqual(find('COMMAND'), ['k1']);
    assert.deepEqual(find('axb'), []);
    for (const sign of '\\^$.*+?()[]{}|/-#&,=!<>:~ ') {
      assert.doesNotThrow(() => find(`x${sign}`), sign);
    }
    assert.deepEqual(find(''), []);
  });

  it('goes step by step, and keeps up with rows that come, change and go meanwhile', () => {
    let time = 0;
    const { rows, search } = searchOf(1000, () => (time += 5));
    search.begin({ passes: undefined, query: 'message', hits: none });
    search.step();
    assert.equal(search.isDone, false);
    search.takeSplice(rows.apply({ at: 0, remove: 0, rows: [message(2000, 'Message first')] }));
    search.takeSplice(rows.apply({ at: 5, remove: 1, rows: [message(2001, 'other')] }));
    search.takeSplice(rows.apply({ at: 900, remove: 2, rows: [] }));
    while (!search.isDone) {
      search.step();
    }
    assert.equal(search.matches.size, 1000 + 1 - 1 - 2);
    search.takeSplice(rows.apply({ at: rows.length, remove: 0, rows: [message(3000), message(3001, 'other')] }));
    assert.equal(search.isDone, false);
    search.step();
    assert.equal(search.matches.size, 999);
  });

  it('counts what the host found in what was cut, and only rows that are shown', () => {
    const { search } = searchOf(4);
    search.begin({ passes: row => row.seq > 1, query: 'deep inside', hits: new Set(['k0', 'k3']) });
    search.step();
    assert.deepEqual([...search.matches], ['k3']);
  });
});
