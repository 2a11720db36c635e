import assert from 'node:assert/strict';
import {
  toChanceWords,
  toCountWords,
  toMeasureLines,
  toMethodWords,
} from '../../../../../src/features/results/comparing/measurePresentation';
import { judgeMeasures } from '../../../../../src/jsonl/comparing/verdict/judgeMeasures';
import type { CountedMeasure, LeftOut } from '../../../../../src/jsonl/comparing/verdict/measure';
import { english } from '../../requests/fillPlaceholders';

function measure(
  about: 'answered' | 'expected' | 'contains' | 'equals',
  cells: readonly number[],
  left: readonly LeftOut[] = [],
): CountedMeasure {
  const [bothPass = 0, worse = 0, better = 0, bothFail = 0] = cells;
  const compared = bothPass + worse + better + bothFail;
  return { about, compared, left, table: { bothPass, worse, better, bothFail }, values: [0, 0] };
}

const numbers = (field: string, differences: readonly number[]): CountedMeasure => ({
  ...{ about: 'number', field, compared: differences.length, left: [], values: [0, 0] },
  differences: Float64Array.from(differences),
});

const judged = (...counted: readonly CountedMeasure[]) => judgeMeasures(counted);
const lines = (...counted: readonly CountedMeasure[]) => toMeasureLines(judged(...counted), english);
const chance = (...counted: readonly CountedMeasure[]) => toChanceWords(judged(...counted), english);

describe('features/results/comparing/measurePresentation', () => {
  it('counts pairs that became worse, better or neither', () => {
    const counts = { regressed: 56, fixed: 0, changed: 0, same: 1144, lost: 3, added: 0 };
    assert.equal(toCountWords(counts, english), '56 worse, 0 better, 1,144 the same');
    assert.equal(toCountWords({ ...counts, changed: 7 }, english), '56 worse, 0 better, 7 changed, 1,144 the same');
  });

  it('shows whether the difference can be chance, and how many more requests would decide', () => {
    assert.equal(chance(measure('expected', [400, 32, 12, 56])), 'B is worse.');
    assert.equal(chance(measure('answered', [400, 0, 40, 60])), 'B is better.');
    assert.match(chance(measure('expected', [80, 6, 4, 10])), /^The difference may be chance\. Compare about 1,\d00 more requests\.$/);
    assert.equal(chance(measure('expected', [90, 5, 5, 0])), 'The difference may be chance.');
    assert.equal(chance(measure('expected', [1, 0, 0, 0])), 'Neither is better.');
    assert.equal(chance(measure('expected', [])), 'Nothing to compare.');
    assert.equal(
      chance(measure('expected', [90, 5, 5, 0]), measure('contains', [50, 50, 0, 0]), numbers('score', [1, 2, 1, 2, 1, 2, 1, 2])),
      'The difference may be chance. contains: B is worse. score: B is higher.',
    );
  });

  it('keeps values, intervals and p-values for the details', () => {
    assert.deepEqual(lines({ ...measure('expected', [400, 32, 12, 56]), values: [0.864, 0.824] }), [
      'As expected: 86.4 % → 82.4 %, −4.0 (−6.7 to −1.4) percentage points, p = 0.004. 500 of 500 requests',
    ]);
    assert.deepEqual(lines(measure('expected', [])), ['As expected: not enough data to compare. 0 of 0 requests']);
    const [score, number] = lines({ ...numbers('score', [0.5, 1, 0.5, 1.5, 1, 0.5]), values: [2, 2.8333] }, numbers('', [1, -1, 0]));
    assert.match(score ?? '', /^score: 2 → 2\.83, 0\.833 \(0\.\d+ to 1\.\d+\), p .*\. 6 of 6 requests$/);
    assert.match(number ?? '', /^Number: 0 → 0, 0 \(−\d/);
  });

  it("corrects for multiple tests: one alone is significant, five aren't", () => {
    const alone = measure('contains', [80, 12, 2, 6]);
    assert.match(lines(alone)[0] ?? '', /p = 0\.013\./);
    const all = [measure('expected', [94, 0, 0, 6]), alone, measure('equals', [94, 0, 0, 6]), measure('equals', [94, 0, 0, 6])];
    assert.match(lines(...all)[1] ?? '', /^contains: .*p = 0\.052\./);
    assert.equal(chance(...all), 'Neither is better.');
  });

  it("explains why requests aren't compared", () => {
    const left: LeftOut[] = [
      { why: 'failed', side: 'after', count: 3 },
      { why: 'ended', side: 'both', count: 2 },
      { why: 'missing', side: 'before', count: 1 },
      { why: 'unusable', side: 'both', count: 1 },
      { why: 'notExpected', side: 'both', count: 1200 },
    ];
    assert.match(
      lines(measure('expected', [10, 0, 0, 0], left))[0] ?? '',
      /10 of 1,217 requests, not compared: 3 failed in B, 2 expired or canceled in A and B, 1 without a result in A, 1 with an invalid check, 1,200 without an expectation$/,
    );
  });

  it('names the statistics', () => {
    const words = toMethodWords(judged(measure('expected', [1, 0, 0, 0]), measure('answered', [1, 0, 0, 0])), english);
    assert.match(words, /McNemar's exact test.*corrected for 2 tests \(Bonferroni, Holm\)/);
    assert.doesNotMatch(words, /t-test/);
  });
});
