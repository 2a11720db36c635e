import assert from 'node:assert/strict';
import { createRandom } from '../../../../../src/jsonl/arranging/random';
import { mcnemarTest } from '../../../../../src/jsonl/comparing/verdict/mcnemarTest';
import { runs } from '../../../../helpers/runs';
import { maxAlarms } from './maxAlarms';

describe('jsonl/comparing/verdict/mcnemarTest', () => {
  it('gives the exact values that were published', () => {
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

  it('is what adding up the binomial distribution gives, term by term', () => {
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

  it('is the same both ways, and falls as the pairs lean to one side', () => {
    for (let worse = 0; worse <= 100; worse++) {
      assert.equal(mcnemarTest(worse, 100 - worse), mcnemarTest(100 - worse, worse));
      if (worse > 0 && worse <= 50) {
        assert.ok(mcnemarTest(worse, 100 - worse) >= mcnemarTest(worse - 1, 101 - worse));
      }
    }
  });

  it('holds at its ends: no pair, none that differs, 100,000', () => {
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
