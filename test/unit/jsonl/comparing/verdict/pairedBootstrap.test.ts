import assert from 'node:assert/strict';
import { createRandom, type Random } from '../../../../../src/jsonl/arranging/random';
import { pairedBootstrap } from '../../../../../src/jsonl/comparing/verdict/pairedBootstrap';
import { runs } from '../../../../helpers/runs';
import { maxAlarms } from './maxAlarms';

const unit = (random: Random) => (random.below(1_000_000) + 0.5) / 1_000_000;
const exponential = (random: Random) => -Math.log(unit(random));

/** Differences of values from one distribution, with a mean of 0. */
const nulls: readonly (readonly [string, (random: Random) => number])[] = [
  ['even', random => unit(random) - unit(random)],
  ['long tails', random => exponential(random) - exponential(random)],
  ['grades of 1 to 5', random => random.below(5) - random.below(5)],
];

describe('jsonl/comparing/verdict/pairedBootstrap', () => {
  it("returns the mean with an interval close to the t-test's, on the data of Student 1908", () => {
    // Additional hours of sleep by two drugs: R's `t.test(extra ~ group, data = sleep, paired = TRUE)` gives 1.58, 0.700 to 2.460, p = 0.0028.
    const result = pairedBootstrap(Float64Array.of(1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4), { seed: 'sleep' });
    assert.ok(result);
    assert.equal(result.difference.toFixed(2), '1.58');
    assert.ok(Math.abs(result.low - 0.7) < 0.25 && Math.abs(result.high - 2.46) < 0.35, JSON.stringify(result));
    assert.ok(result.p < 0.02);
    assert.equal(result.deviation.toFixed(2), '1.23');
  });

  it('returns the same for the same seed, and mirrors swapped runs', () => {
    const random = createRandom('values');
    const values = Float64Array.from({ length: 60 }, () => unit(random) - 0.4);
    const one = pairedBootstrap(values, { seed: 'a' });
    assert.deepEqual(pairedBootstrap(values, { seed: 'a' }), one);
    const back = pairedBootstrap(
      values.map(value => -value),
      { seed: 'a' },
    );
    assert.ok(one && back);
    assert.ok(Math.abs(one.low + back.high) < 1e-9 && Math.abs(one.p - back.p) < 1e-9);
  });

  it('returns a lower p-value for a larger difference', () => {
    const random = createRandom('shifted');
    const values = Float64Array.from({ length: 40 }, () => unit(random) - unit(random));
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const ps = [0.02, 0.05, 0.1, 0.2].map(
      shift =>
        pairedBootstrap(
          values.map(value => value - mean + shift),
          { seed: 's' },
        )?.p ?? 1,
    );
    assert.deepEqual(
      [...ps].sort((a, b) => b - a),
      ps,
    );
  });

  it('gives a false alarm in at most 5 of 100 runs without a difference, with few pairs too', () => {
    for (const [name, draw] of nulls) {
      for (const count of [10, 40]) {
        const random = createRandom(`${name} ${count}`);
        const trials = runs(1000, 100);
        let alarms = 0;
        for (let trial = 0; trial < trials; trial++) {
          const result = pairedBootstrap(
            Float64Array.from({ length: count }, () => draw(random)),
            { seed: String(trial), resamples: 1000 },
          );
          alarms += (result?.p ?? 1) <= 0.05 ? 1 : 0;
        }
        assert.ok(alarms <= maxAlarms(trials, 0.05), `${alarms} of ${trials}: ${name}, ${count} pairs`);
      }
    }
  });

  it('handles the limits: no pair, one pair, equal pairs', () => {
    assert.equal(pairedBootstrap(new Float64Array(0), { seed: '' }), undefined);
    assert.equal(pairedBootstrap(Float64Array.of(3), { seed: '' }), undefined);
    assert.equal(pairedBootstrap(new Float64Array(50), { seed: '' })?.p, 1);
    const all = pairedBootstrap(new Float64Array(50).fill(2), { seed: '' });
    assert.deepEqual([all?.low, all?.high, all?.deviation], [2, 2, 0]);
    assert.ok((all?.p ?? 1) < 0.01);
  });

  it("matches the mean's statistics for 100,000 pairs, and can be stopped", () => {
    const random = createRandom('many');
    const values = Float64Array.from({ length: 100_001 }, () => unit(random) - 0.49);
    const result = pairedBootstrap(values, { seed: 'many' });
    assert.ok(result);
    // The interval of the normal distribution, a good approximation for this many pairs.
    const reach = (1.96 * result.deviation) / Math.sqrt(values.length);
    assert.ok(
      Math.abs(result.high - result.difference - reach) < reach / 8 && Math.abs(result.difference - result.low - reach) < reach / 8,
    );
    assert.ok(result.p < 0.01);
    const throwIfAborted = () => {
      throw new DOMException('Stopped', 'AbortError');
    };
    assert.throws(() => pairedBootstrap(values, { seed: '', throwIfAborted }), { name: 'AbortError' });
  });
});
