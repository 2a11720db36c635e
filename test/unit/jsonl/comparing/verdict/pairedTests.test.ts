import assert from 'node:assert/strict';
import { createRandom, type Random } from '../../../../../src/jsonl/arranging/random';
import type { PairedTable } from '../../../../../src/jsonl/comparing/verdict/measure';
import {
  holmCorrection,
  mcnemarTest,
  newcombeInterval,
  pairedTTest,
  pairsNeeded,
} from '../../../../../src/jsonl/comparing/verdict/pairedTests';
import { runs } from '../../../../helpers/runs';
import { maxAlarms } from './maxAlarms';

const table = (bothPass: number, worse: number, better: number, bothFail: number): PairedTable => ({ bothPass, worse, better, bothFail });

function formatted(pairs: PairedTable, digits = 4): readonly string[] {
  const interval = newcombeInterval(pairs);
  return interval === undefined ? [] : [interval.difference, interval.low, interval.high].map(value => value.toFixed(digits));
}

describe('jsonl/comparing/verdict/pairedTests newcombeInterval', () => {
  it('returns published intervals', () => {
    // Cavo 2012 and Bentur 2009, from Fagerland, Lydersen, Laake, chapter 8. The sign is that of after minus before.
    assert.deepEqual(formatted(table(59, 6, 16, 80)), ['0.0621', '0.0046', '0.1186']);
    assert.deepEqual(formatted(table(1, 1, 7, 12), 3), ['0.286', '0.026', '0.507']);
    // Altman, Machin, Bryant, Gardner, "Statistics with Confidence", table 6.2.
    assert.deepEqual(formatted(table(14, 5, 0, 22), 3), ['-0.122', '-0.226', '-0.011']);
  });

  it('mirrors swapped runs, and stays within -1 and 1 around the difference', () => {
    const random = createRandom('tables');
    for (let trial = 0; trial < runs(3000); trial++) {
      const pairs = table(random(20), random(20), random(20), random(20) + 1);
      const there = newcombeInterval(pairs);
      const back = newcombeInterval({ ...pairs, worse: pairs.better, better: pairs.worse });
      assert.ok(there && back);
      assert.ok(Math.abs(there.low + back.high) < 1e-9 && Math.abs(there.high + back.low) < 1e-9);
      assert.ok(-1 <= there.low && there.low <= there.difference && there.difference <= there.high && there.high <= 1);
    }
  });

  it('excludes 0 whenever the exact test finds a difference', () => {
    for (let count = 1; count <= 24; count++) {
      for (let worse = 0; worse <= count; worse++) {
        for (let better = 0; worse + better <= count; better++) {
          for (const bothPass of [0, Math.floor((count - worse - better) / 2), count - worse - better]) {
            const interval = newcombeInterval(table(bothPass, worse, better, count - worse - better - bothPass));
            assert.ok(interval);
            if (mcnemarTest(worse, better) <= 0.05) {
              assert.ok(interval.low > 0 || interval.high < 0, JSON.stringify({ bothPass, worse, better, count }));
            }
          }
        }
      }
    }
  });

  it('contains the true difference in about 95 of 100 runs', () => {
    const random = createRandom('coverage');
    const trials = runs(10_000, 2000);
    let held = 0;
    for (let trial = 0; trial < trials; trial++) {
      const counts = [0, 0, 0, 0];
      for (let pair = 0; pair < 80; pair++) {
        // Shares of 60, 5, 15 and 20 percent.
        const at = random(20);
        const cell = at < 12 ? 0 : at < 13 ? 1 : at < 16 ? 2 : 3;
        counts[cell] = (counts[cell] ?? 0) + 1;
      }
      const [bothPass = 0, worse = 0, better = 0, bothFail = 0] = counts;
      const interval = newcombeInterval(table(bothPass, worse, better, bothFail));
      held += interval !== undefined && interval.low <= 0.1 && interval.high >= 0.1 ? 1 : 0;
    }
    assert.ok(held / trials > 0.93 && held / trials < 0.985, `${held} of ${trials}`);
  });

  it('handles the limits: no pair, equal pairs, 100,000 pairs', () => {
    assert.equal(newcombeInterval(table(0, 0, 0, 0)), undefined);
    assert.deepEqual(formatted(table(50, 0, 0, 0), 3), ['0.000', '-0.071', '0.071']);
    assert.deepEqual(formatted(table(0, 50, 0, 0), 3), ['-1.000', '-1.000', '-0.899']);
    assert.deepEqual(formatted(table(40_000, 20_000, 20_500, 19_500)), ['0.0050', '0.0011', '0.0089']);
  });
});

const rounded = (values: readonly number[]) => values.map(value => Number(value.toFixed(6)));

describe('jsonl/comparing/verdict/pairedTests holmCorrection', () => {
  it('returns the values of worked examples', () => {
    // R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm").
    assert.deepEqual(rounded(holmCorrection([0.01, 0.04, 0.03, 0.005])), [0.03, 0.06, 0.06, 0.02]);
    // By hand: 5 x 0.01, 4 x 0.02, 3 x 0.03. Each result is at least the previous result.
    assert.deepEqual(rounded(holmCorrection([0.01, 0.02, 0.03, 0.04, 0.05])), [0.05, 0.08, 0.09, 0.09, 0.09]);
  });

  it('keeps a single value, keeps the order, and never exceeds 1 or Bonferroni', () => {
    assert.deepEqual(holmCorrection([]), []);
    assert.deepEqual(holmCorrection([0.03]), [0.03]);
    assert.deepEqual(holmCorrection([0.5, 0.6, 1]), [1, 1, 1]);
    const random = createRandom('families');
    for (let trial = 0; trial < runs(500); trial++) {
      const values = Array.from({ length: 1 + random(8) }, () => random(1000) / 1000);
      for (const [at, corrected] of holmCorrection(values).entries()) {
        const value = values[at] as number;
        assert.ok(corrected >= value && corrected <= Math.min(1, value * values.length) + 1e-12);
      }
    }
  });

  it('gives a family of 6 without a difference a false alarm in at most 5 of 100', () => {
    const random = createRandom('null families');
    const trials = runs(20_000, 5000);
    let alarms = 0;
    for (let trial = 0; trial < trials; trial++) {
      const values = Array.from({ length: 6 }, () => random(1_000_000) / 1_000_000);
      alarms += holmCorrection(values).some(value => value <= 0.05) ? 1 : 0;
    }
    assert.ok(alarms <= maxAlarms(trials, 0.05) && alarms > 0, `${alarms} of ${trials}`);
  });
});

describe('jsonl/comparing/verdict/pairedTests mcnemarTest', () => {
  it('returns the published exact values', () => {
    const published: readonly (readonly [worse: number, better: number, p: number])[] = [
      // Fagerland, Lydersen, Laake, "Statistical Analysis of Contingency Tables", chapter 8: Cavo 2012 and Bentur 2009.
      [6, 16, 0.052479],
      [1, 7, 0.0703],
      // From the tests of statsmodels' `mcnemar`.
      [121, 59, 4.434e-6],
      // Agresti 1990, p. 350, the table of R's `mcnemar.test`. The binomial tail is summed in integers.
      [150, 86, 3.716e-5],
      // From binomial tables.
      [5, 12, 0.1435],
      [0, 5, 0.0625],
      [0, 6, 0.03125],
      [10, 2, 0.03857421875],
    ];
    for (const [worse, better, p] of published) {
      assert.equal(mcnemarTest(worse, better).toPrecision(3), p.toPrecision(3), `${worse}, ${better}`);
    }
  });

  it('equals the sum of the binomial distribution', () => {
    for (let differing = 0; differing <= 60; differing++) {
      for (let worse = 0; worse <= differing; worse++) {
        let tail = 0;
        let term = 2 ** -differing;
        for (let at = 0; at <= Math.min(worse, differing - worse); at++) {
          tail += term;
          term *= (differing - at) / (at + 1);
        }
        assert.ok(Math.abs(mcnemarTest(worse, differing - worse) - Math.min(1, 2 * tail)) < 1e-12, `${worse} of ${differing}`);
      }
    }
  });

  it('is symmetric, and falls as the pairs lean to one side', () => {
    for (let worse = 0; worse <= 100; worse++) {
      assert.equal(mcnemarTest(worse, 100 - worse), mcnemarTest(100 - worse, worse));
      if (worse > 0 && worse <= 50) {
        assert.ok(mcnemarTest(worse, 100 - worse) >= mcnemarTest(worse - 1, 101 - worse));
      }
    }
  });

  it('handles the limits: no pair, no differing pair, 100,000 pairs', () => {
    assert.equal(mcnemarTest(0, 0), 1);
    assert.equal(mcnemarTest(1, 0), 1);
    assert.equal(mcnemarTest(50_000, 50_000), 1);
    assert.equal(mcnemarTest(0, 100_000), 0);
    const p = mcnemarTest(49_500, 50_500);
    // The normal approximation with a correction for continuity gives z = 3.159.
    assert.ok(p > 0.00155 && p < 0.00161, String(p));
  });

  it('gives a false alarm in at most 5 of 100 runs without a difference', () => {
    const random = createRandom('nulls of McNemar');
    const trials = runs(20_000, 4000);
    for (const differing of [8, 30, 200]) {
      let alarms = 0;
      for (let trial = 0; trial < trials; trial++) {
        let worse = 0;
        for (let pair = 0; pair < differing; pair++) {
          worse += random(2);
        }
        alarms += mcnemarTest(worse, differing - worse) <= 0.05 ? 1 : 0;
      }
      assert.ok(alarms <= maxAlarms(trials, 0.05), `${alarms} of ${trials} with ${differing} pairs`);
      assert.ok(alarms > 0);
    }
  });
});

describe('jsonl/comparing/verdict/pairedTests: power', () => {
  it('asks for as many pairs as the published formulas', () => {
    // Connor 1987 by hand: (1.959964 sqrt(0.3) + 0.841621 sqrt(0.3 - 0.04))^2 / 0.04 = 56.4.
    assert.equal(pairsNeeded(0.2, { spread: 0.3, kind: 'shares' }), 57);
    assert.equal(pairsNeeded(-0.2, { spread: 0.3, kind: 'shares' }), 57);
    // The paired z-test for a difference of half a standard deviation, a textbook example.
    assert.equal(pairsNeeded(0.5, { spread: 1, kind: 'numbers' }), 32);
    assert.equal(pairsNeeded(0, { spread: 0.3, kind: 'shares' }), Number.POSITIVE_INFINITY);
  });

  it('asks for as many as find a difference in about 80 of 100 runs', () => {
    const random = createRandom('power');
    const size = 0.07;
    const count = pairsNeeded(size, { spread: 0.2, kind: 'shares' });
    const worseBelow = (0.2 - size) / 2;
    const trials = runs(4000, 1000);
    let found = 0;
    for (let trial = 0; trial < trials; trial++) {
      let worse = 0;
      let better = 0;
      for (let pair = 0; pair < count; pair++) {
        const at = random(1_000_000) / 1_000_000;
        worse += at < worseBelow ? 1 : 0;
        better += at >= worseBelow && at < 0.2 ? 1 : 0;
      }
      found += mcnemarTest(worse, better) <= 0.05 ? 1 : 0;
    }
    // The exact test is stricter than its alpha, so it finds slightly fewer differences.
    assert.ok(found / trials > 0.72 && found / trials < 0.86, `${found} of ${trials} at ${size}`);
  });
});

const unit = (random: Random) => (random(1_000_000) + 0.5) / 1_000_000;
const exponential = (random: Random) => -Math.log(unit(random));

/** Distributions of differences with a mean of 0. */
const nulls: readonly (readonly [string, (random: Random) => number])[] = [
  ['even', random => unit(random) - unit(random)],
  ['long tails', random => exponential(random) - exponential(random)],
  ['grades of 1 to 5', random => random(5) - random(5)],
];

describe('jsonl/comparing/verdict/pairedTests pairedTTest', () => {
  it('returns the values of the data of Student 1908', () => {
    // Additional hours of sleep by two drugs: R's `t.test(extra ~ group, data = sleep, paired = TRUE)` gives 1.58, 0.700 to 2.460, p = 0.0028.
    const result = pairedTTest(Float64Array.of(1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4)) ?? assert.fail();
    const { difference, low, high } = result.interval;
    assert.deepEqual(
      [difference, low, high, result.deviation].map(value => value.toFixed(2)),
      ['1.58', '0.70', '2.46', '1.23'],
    );
    assert.equal(result.p.toFixed(4), '0.0028');
  });

  it('gives a false alarm in at most 5 of 100 runs without a difference, with few pairs too', () => {
    for (const [name, draw] of nulls) {
      for (const count of [10, 40]) {
        const random = createRandom(`${name} ${count}`);
        const trials = runs(1000, 100);
        let alarms = 0;
        for (let trial = 0; trial < trials; trial++) {
          const { p = 1 } = pairedTTest(Float64Array.from({ length: count }, () => draw(random))) ?? {};
          alarms += p <= 0.05 ? 1 : 0;
        }
        assert.ok(alarms <= maxAlarms(trials, 0.05), `${alarms} of ${trials}: ${name}, ${count} pairs`);
      }
    }
  });

  it('handles the limits: no pair, one pair, equal pairs, 100,000 pairs', () => {
    assert.equal(pairedTTest(new Float64Array(0)), undefined);
    assert.equal(pairedTTest(Float64Array.of(3)), undefined);
    assert.equal(pairedTTest(new Float64Array(50))?.p, 1);
    const all = pairedTTest(new Float64Array(50).fill(2));
    assert.deepEqual([all?.interval.low, all?.interval.high, all?.deviation], [2, 2, 0]);
    assert.ok((all?.p ?? 1) < 0.01);
    // Two equal differences are not significant.
    assert.equal(pairedTTest(Float64Array.of(1, 1))?.p, 0.5);
    const random = createRandom('many');
    const many = pairedTTest(Float64Array.from({ length: 100_001 }, () => unit(random) - 0.49)) ?? assert.fail();
    const reach = (1.96 * many.deviation) / Math.sqrt(100_001);
    assert.ok(Math.abs(many.interval.high - many.interval.difference - reach) < reach / 100 && many.p < 0.01);
  });
});
