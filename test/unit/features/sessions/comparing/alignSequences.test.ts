import assert from 'node:assert/strict';
import fc from 'fast-check';
import { alignSequences, type Score, sameScore } from '../../../../../src/features/sessions/comparing/alignSequences';
import { runs } from '../../../../helpers/runs';
import { atOnce } from './comparedLogs';

/** Scores two letters. Equal letters are the same. Letters that differ only in case are similar. */
const letters: Score<string> = (one, other) => (one === other ? sameScore : one.toLowerCase() === other.toLowerCase() ? 30 : 0);
const align = (one: string, other: string) => atOnce(alignSequences([...one], [...other], letters));

/** Returns the score of the best pairing. Tries all pairings. */
function best(ones: readonly string[], others: readonly string[]): number {
  const [one, ...restOfOnes] = ones;
  const [other, ...restOfOthers] = others;
  if (one === undefined || other === undefined) {
    return 0;
  }
  const score = letters(one, other);
  const paired = score === 0 ? 0 : score + best(restOfOnes, restOfOthers);
  return Math.max(paired, best(restOfOnes, others), best(ones, restOfOthers));
}

describe('features/sessions/comparing/alignSequences', () => {
  it('pairs equal items, and similar ones if none are equal', () => {
    assert.deepEqual(align('abc', 'abc').pairs, [
      [0, 0],
      [1, 1],
      [2, 2],
    ]);
    assert.deepEqual(align('abc', 'Bc').pairs, [
      [1, 0],
      [2, 1],
    ]);
    assert.deepEqual(align('ab', '').pairs, []);
    assert.deepEqual(align('aAb', 'Ab').pairs, [
      [1, 0],
      [2, 1],
    ]);
  });

  it('finds the pairs with the highest score in ascending order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'A', 'b', 'B'), { maxLength: 7 }),
        fc.array(fc.constantFrom('a', 'A', 'b', 'B'), { maxLength: 7 }),
        (ones, others) => {
          const { pairs, isPiecewise } = atOnce(alignSequences(ones, others, letters));
          const worth = pairs.reduce((sum, [one, other]) => sum + letters(ones[one] ?? '', others[other] ?? ''), 0);
          assert.equal(worth, best(ones, others));
          assert.equal(isPiecewise, false);
          assert.ok(pairs.every(([one, other], at) => at === 0 || (one > (pairs[at - 1]?.[0] ?? 0) && other > (pairs[at - 1]?.[1] ?? 0))));
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it('compares long sequences in parts, says so, and still finds equal items after missing ones', () => {
    const long = Array.from({ length: runs(20_000, 6_000) }, (_, place) => `step ${place}`);
    const other = long.flatMap((word, place) => (place % 97 === 0 ? [] : place % 89 === 0 ? ['new', word] : [word]));
    let comparisons = 0;
    const counted: Score<string> = (one, two) => letters(one, two) + 0 * ++comparisons;
    const { pairs, isPiecewise } = atOnce(alignSequences(long, other, counted));
    assert.equal(isPiecewise, true);
    assert.equal(pairs.length, long.filter((_, place) => place % 97 !== 0).length);
    assert.ok(pairs.every(([one, two]) => long[one] === other[two]));
    // Comparing all pairs would take `long.length * other.length` comparisons.
    assert.ok(comparisons < long.length * 1250, `${comparisons} comparisons`);
  });

  it('finishes with long sequences that have nothing in common', () => {
    const ones = Array.from({ length: 3000 }, (_, place) => `one ${place}`);
    const others = Array.from({ length: 5000 }, (_, place) => `other ${place}`);
    assert.deepEqual(atOnce(alignSequences(ones, others, letters)), { pairs: [], isPiecewise: true });
  });
});
