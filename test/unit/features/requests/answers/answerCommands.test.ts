import assert from 'node:assert/strict';
import { nextOf } from '../../../../../src/features/requests/answers/answerCommands';
import { sentIdOf, UntouchedLines } from '../../../../../src/features/requests/documents/lineChanges';

/** Returns a checker of lines with these ids. A line without an id has bare params. */
function idsOf(...ids: readonly (string | undefined)[]): Parameters<typeof sentIdOf>[1] {
  return {
    lineInfo: line => ({ customId: ids[line], kind: ids[line] === undefined ? 'params' : 'request', model: undefined, noted: [] }),
    lineOfId: id => ids.indexOf(id),
  };
}

describe('features/requests/answers/answerCommands', () => {
  it('finds the current line of an ID', () => {
    assert.equal(sentIdOf(3, idsOf('x', 'y', 'z', 'a'), undefined, undefined), 'a');
  });

  it('uses a duplicate ID only for its first line', () => {
    const ids = idsOf('a', 'a');
    assert.equal(sentIdOf(0, ids, undefined, undefined), 'a');
    assert.equal(sentIdOf(1, ids, undefined, undefined), undefined);
  });

  it('derives the ID of a line without one only while the line is known to be the sent one', () => {
    const ids = idsOf(undefined, undefined, undefined, undefined);
    assert.equal(sentIdOf(1, ids, undefined, 'v1'), undefined);
    const lines = new UntouchedLines(3);
    assert.equal(sentIdOf(1, ids, { sha256: 'v1', lines }, 'v1'), 'line-2');
    assert.equal(sentIdOf(1, ids, { sha256: 'v1', lines }, 'v2'), undefined);
    assert.equal(sentIdOf(1, ids, { sha256: 'v1', lines }, undefined), undefined);
    lines.change([{ start: 0, removed: 1, inserted: 2 }]);
    assert.equal(sentIdOf(1, ids, { sha256: 'v1', lines }, 'v1'), undefined);
    assert.equal(sentIdOf(2, ids, { sha256: 'v1', lines }, 'v1'), 'line-2');
  });

  it('finds the next and the previous line from any line, wrapping around', () => {
    const lines = [3, 7, 20].map(line => ({ line }));
    const steps = (step: 1 | -1, ...from: readonly number[]) => from.map(line => Object.values(nextOf(lines, line, step)));
    assert.deepEqual(steps(1, 0, 3, 5, 7, 20, 99), [
      [0, false],
      [1, false],
      [1, false],
      [2, false],
      [0, true],
      [0, true],
    ]);
    assert.deepEqual(steps(-1, 0, 3, 5, 7, 20, 99), [
      [2, true],
      [2, true],
      [0, false],
      [0, false],
      [1, false],
      [2, false],
    ]);
    assert.deepEqual(nextOf([{ line: 4 }], 4, 1), { at: 0, isWrapped: true });
  });
});
