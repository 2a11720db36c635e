import assert from 'node:assert/strict';
import { createRandom } from '../../../../../src/jsonl/arranging/random';
import type { PairedTable } from '../../../../../src/jsonl/comparing/verdict/measure';
import { holmCorrection, mcnemarTest, newcombeInterval } from '../../../../../src/jsonl/comparing/verdict/pairedTests';
import { runs } from '../../../../helpers/runs';
import { maxAlarms } from './maxAlarms';

const table = (bothPass: number, worse: number, better: number, bothFail: number): PairedTable => ({ bothPass, worse, better, bothFail });

function formatted(pairs: PairedTable, digits = 4): readonly string[] {
  const interval = newcombeInterval(pairs);
  return interval === undefined ? [] : [interval.difference, interval.low, interval.high].map(value => value.toFixed(digits));
}

describe('jsonl/comparing/verdict/pairedTests newcombeInterval', () => {
  it('returns published intervals', () => {
    // Fagerland, Lydersen, Laake, chapter 8 (R package contingencytables), with the sign of after less before: Cavo 2012, Bentur 2009.
    assert.deepEqual(formatted(table(59, 6, 16, 80)), ['0.0621', '0.0046', '0.1186']);
    assert.deepEqual(formatted(table(1, 1, 7, 12), 3), ['0.286', '0.026', '0.507']);
    // Altman, Machin, Bryant, Gardner, "Statistics with Confidence", table 6.2.
    assert.deepEqual(formatted(table(14, 5, 0, 22), 3), ['-0.122', '-0.226', '-0.011']);
  });

  it('mirrors swapped runs, and stays within -1 and 1 around the difference', () => {
    const random = createRandom('tables');
    for (let trial = 0; trial < runs(3000); trial++) {
      const pairs = table(random.below(20), random.below(20), random.below(20), random.below(20) + 1);
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
        const at = random.below(20);
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
    // R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm"), the example of many texts.
    assert.deepEqual(rounded(holmCorrection([0.01, 0.04, 0.03, 0.005])), [0.03, 0.06, 0.06, 0.02]);
    // By hand: 5 x 0.01, 4 x 0.02, 3 x 0.03, then none below the one before.
    assert.deepEqual(rounded(holmCorrection([0.01, 0.02, 0.03, 0.04, 0.05])), [0.05, 0.08, 0.09, 0.09, 0.09]);
  });

  it('keeps a single value, keeps the order, and never exceeds 1 or Bonferroni', () => {
    assert.deepEqual(holmCorrection([]), []);
    assert.deepEqual(holmCorrection([0.03]), [0.03]);
    assert.deepEqual(holmCorrection([0.5, 0.6, 1]), [1, 1, 1]);
    const random = createRandom('families');
    for (let trial = 0; trial < runs(500); trial++) {
      const values = Array.from({ length: 1 + random.below(8) }, () => random.below(1000) / 1000);
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
      const values = Array.from({ length: 6 }, () => random.below(1_000_000) / 1_000_000);
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
      // The tests of statsmodels' `mcnemar`.
      [121, 59, 4.434e-6],
      // Agresti 1990, p. 350 (the table of R's `mcnemar.test`), its binomial tail added up in whole numbers.
      [150, 86, 3.716e-5],
      // Binomial tables.
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
          worse += random.below(2);
        }
        alarms += mcnemarTest(worse, differing - worse) <= 0.05 ? 1 : 0;
      }
      assert.ok(alarms <= maxAlarms(trials, 0.05), `${alarms} of ${trials} with ${differing} pairs`);
      assert.ok(alarms > 0);
    }
  });
});
