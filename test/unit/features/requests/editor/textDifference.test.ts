import assert from 'node:assert/strict';
import fc from 'fast-check';
import { differenceOf } from '../../../../../src/features/requests/editor/textDifference';
import { runs } from '../../../../helpers/runs';

describe('features/requests/editor/textDifference', () => {
  it('gives the smallest span that makes one text of the other, whole characters only', () => {
    const character = fc.constantFrom('a', 'b', '😀', '😁', '🀄');
    const text = fc.array(character, { maxLength: 8 }).map(parts => parts.join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { start, end, words } = differenceOf(before, after);
        assert.equal(before.slice(0, start) + words + before.slice(end), after);
        for (const part of [words, before.slice(start, end)]) {
          assert.equal(Buffer.from(part).toString(), part);
        }
      }),
      { numRuns: runs(500) },
    );
    assert.deepEqual(differenceOf('one two', 'one 2 two'), { start: 4, end: 4, words: '2 ' });
    assert.deepEqual(differenceOf('same', 'same'), { start: 4, end: 4, words: '' });
  });
});
