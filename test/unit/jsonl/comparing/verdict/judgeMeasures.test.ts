import assert from 'node:assert/strict';
import { createRandom, type Random } from '../../../../../src/jsonl/arranging/random';
import { PairTally } from '../../../../../src/jsonl/comparing/pairMeasures';
import { judgeMeasures } from '../../../../../src/jsonl/comparing/verdict/judgeMeasures';
import type { CountedMeasure } from '../../../../../src/jsonl/comparing/verdict/measure';
import { newcombeInterval, pairedTTest } from '../../../../../src/jsonl/comparing/verdict/pairedTests';
import { runs } from '../../../../helpers/runs';
import { maxAlarms } from './maxAlarms';

/**
 * Returns the measures of two random runs over the same requests. The first measure covers all expectations. The others cover one check
 * each.
 */
function countRuns(random: Random, requests: number, shareBefore: number, shareAfter: number): readonly CountedMeasure[] {
  const tallies = [new PairTally('expected'), new PairTally('contains'), new PairTally('equals')];
  const passes = (share: number) => random(1000) < share * 1000;
  for (let request = 0; request < requests; request++) {
    const [before, after] = [shareBefore, shareAfter].map(share => [passes(share), passes(share)] as const);
    const sides = [before, after].map(([one, other] = [false, false]) => [one && other, one, other]);
    for (const [at, tally] of tallies.entries()) {
      tally.add(sides[0]?.[at] === true, sides[1]?.[at] === true, [undefined, undefined]);
    }
  }
  return tallies.map(tally => tally.counted());
}

describe('jsonl/comparing/verdict/judgeMeasures', () => {
  it('finds a difference between equal runs in at most 5 of 100 comparisons, with any number of measures', () => {
    const random = createRandom('equal runs');
    const trials = runs(4000, 400);
    let alarms = 0;
    for (let trial = 0; trial < trials; trial++) {
      alarms += judgeMeasures(countRuns(random, 60, 0.7, 0.7)).some(({ verdict }) => verdict !== 'unclear') ? 1 : 0;
    }
    assert.ok(alarms <= maxAlarms(trials, 0.05) && alarms > 0, `${alarms} of ${trials}`);
  });

  it('finds a large difference, with matching verdict, p-value and interval', () => {
    const random = createRandom('unequal runs');
    for (let trial = 0; trial < runs(200, 50); trial++) {
      for (const { verdict, p, interval, tests } of judgeMeasures(countRuns(random, 300, 0.9, 0.6))) {
        assert.deepEqual([verdict, tests], ['worse', 3]);
        assert.ok(p <= 0.05 && interval !== undefined && interval.high < 0);
      }
      const back = judgeMeasures(countRuns(random, 300, 0.6, 0.9));
      assert.ok(back.every(({ verdict, interval }) => verdict === 'better' && interval !== undefined && interval.low > 0));
    }
  });

  it('widens intervals with the number of tests, so that all contain the true value in 95 of 100 comparisons', () => {
    const random = createRandom('intervals together');
    const trials = runs(4000, 400);
    let wrong = 0;
    for (let trial = 0; trial < trials; trial++) {
      // True differences of the three measures. The first measure requires both checks.
      const truths = [0.6 ** 2 - 0.8 ** 2, 0.6 - 0.8, 0.6 - 0.8];
      const isHeld = judgeMeasures(countRuns(random, 80, 0.8, 0.6)).map(({ interval }, at) => {
        const truth = truths[at] as number;
        return interval !== undefined && interval.low <= truth && truth <= interval.high;
      });
      wrong += isHeld.every(held => held) ? 0 : 1;
    }
    assert.ok(wrong <= maxAlarms(trials, 0.05), `${wrong} of ${trials}`);
  });

  it('uses 98.33 % intervals for three measures, and 95 % for one, for shares and for numbers', () => {
    const [expected] = countRuns(createRandom('one'), 100, 0.7, 0.6);
    assert.ok(expected?.table);
    const three = [expected, { ...expected, about: 'contains' }, { ...expected, about: 'equals' }] as const;
    assert.deepEqual(judgeMeasures(three)[0]?.interval, newcombeInterval(expected.table, 1 - 0.05 / 3));
    assert.deepEqual(judgeMeasures([expected])[0]?.interval, newcombeInterval(expected.table));
    const differences = Float64Array.from({ length: 40 }, (_, at) => (at % 7) - 2);
    const number: CountedMeasure = { ...{ about: 'number', compared: 40, left: [], values: [0, 1] }, field: 'a', differences };
    const [alone, one] = [judgeMeasures([number])[0]?.interval, judgeMeasures([number, { ...number, field: 'b' }, ...three])[3]?.interval];
    assert.ok(alone && one && one.low < alone.low && one.high > alone.high);
    assert.deepEqual(one, pairedTTest(differences, 0.975)?.interval);
  });

  it('asks for fewer pairs with fewer tests', () => {
    const [expected] = countRuns(createRandom('one'), 100, 0.7, 0.6);
    assert.ok(expected);
    const [alone] = judgeMeasures([expected]);
    const [among] = judgeMeasures([expected, { ...expected, about: 'contains' }, { ...expected, about: 'equals' }]);
    assert.ok(alone?.more !== undefined && among?.more !== undefined && alone.more < among.more);
  });

  it('returns no differences per pair, and never advises endless sending', () => {
    const numbers: CountedMeasure = {
      ...{ about: 'number', field: 'score', compared: 4, left: [], values: [0, 0] },
      differences: Float64Array.of(1000, -1000, 1000, -999.999),
    };
    const [measure] = judgeMeasures([numbers]);
    assert.equal(measure !== undefined && 'differences' in measure, false);
    assert.equal(measure?.more, undefined);
    assert.equal(measure?.verdict, 'unclear');
  });
});
