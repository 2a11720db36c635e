import assert from 'node:assert/strict';
import fc from 'fast-check';
import { smallestEdit } from '../../../../src/jsonl/fixes/textEdit';
import { runs } from '../../../helpers/runs';

describe('jsonl/fixes/textEdit', () => {
  it('returns the smallest replacement that turns one text into the other, in whole characters', () => {
    const character = fc.constantFrom('a', 'b', '😀', '😁', '🀄');
    const text = fc.array(character, { maxLength: 8 }).map(parts => parts.join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { start, end, text: changed } = smallestEdit(before, after);
        assert.equal(before.slice(0, start) + changed + before.slice(end), after);
        for (const part of [changed, before.slice(start, end)]) {
          assert.equal(Buffer.from(part).toString(), part);
        }
      }),
      { numRuns: runs(500) },
    );
    assert.deepEqual(smallestEdit('one two', 'one 2 two'), { start: 4, end: 4, text: '2 ' });
    assert.deepEqual(smallestEdit('same', 'same'), { start: 4, end: 4, text: '' });
  });
});
