import assert from 'node:assert/strict';
import { findMatches } from '../../../../../src/webview/session/toolbar/useTimelineSearch';
import { message, tool } from '../rows';

const none: ReadonlySet<string> = new Set();

describe('webview/session/toolbar/useTimelineSearch', () => {
  it('finds text in every part of a row, ignoring case and diacritics', () => {
    const rows = [message(0, 'Straße a.b(c)'), tool(1), message(2, 'nothing')];
    const find = (query: string) => findMatches(rows, query, undefined, none);
    assert.deepEqual(find('A.B(C'), ['k0']);
    assert.deepEqual(find('readme'), ['k1']);
    assert.deepEqual(find('COMMAND'), ['k1']);
    assert.deepEqual(find('axb'), []);
    for (const sign of '\\^$.*+?()[]{}|/-#&,=!<>:~ ') {
      assert.doesNotThrow(() => find(`x${sign}`), sign);
    }
    assert.deepEqual(find(''), []);
  });

  it("counts the host's matches in cut parts, and only visible rows", () => {
    const rows = Array.from({ length: 4 }, (_, seq) => message(seq));
    assert.deepEqual(
      findMatches(rows, 'deep inside', row => row.seq > 1, new Set(['k0', 'k3'])),
      ['k3'],
    );
  });
});
