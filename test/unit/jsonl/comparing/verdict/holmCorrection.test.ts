import assert from 'node:assert/strict';
import { createRandom } from '../../../../../src/jsonl/arranging/random';
import { holmCorrection } from '../../../../../src/jsonl/comparing/verdict/holmCorrection';
import { runs } from '../../../../helpers/runs';
import { maxAlarms } from './maxAlarms';

const rounded = (values: readonly number[]) => values.map(value => Number(value.toFixed(6)));

describe('jsonl/comparing/verdict/holmCorrection', () => {
  it('gives what worked examples give', () => {
    // R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm"), the example of many texts.
    assert.deepEqual(rounded(holmCorrection([0.01, 0.04, 0.03, 0.005])), [0.03, 0.06, 0.06, 0.02]);
    // By hand: 5 x 0.01, 4 x 0.02, 3 x 0.03, then none below the one before.
    assert.deepEqual(rounded(holmCorrection([0.01, 0.02, 0.03, 0.04, 0.05])), [0.05, 0.08, 0.09, 0.09, 0.09]);
  });

  it('keeps one alone, keeps the order, and is never above 1 or Bonferroni', () => {
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
