import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  estimateByRatio,
  type PastOutputs,
  predictByRatio,
  predictOutput,
  type Stratum,
} from '../../../../src/jsonl/estimating/tokenStatistics';
import { runs } from '../../../helpers/runs';

const size = fc.integer({ min: 1, max: 100_000 });
const sized = fc.record({ text: size, tokens: size });
const stratum: fc.Arbitrary<Stratum> = fc.array(sized, { maxLength: 12 }).chain(counted =>
  fc.record({
    requests: fc.integer({ min: Math.max(1, counted.length), max: 1000 }),
    text: fc.integer({ min: 1, max: 10_000_000 }),
    counted: fc.constant(counted),
  }),
);
const prior = { spread: 0.05, runs: 3 };

function outputsOf(...values: readonly number[]): PastOutputs {
  return {
    answers: values.length,
    mean: values.reduce((sum, value) => sum + Math.abs(value), 0) / values.length,
    values: Float64Array.from(values),
  };
}

describe('jsonl/estimating/tokenStatistics', () => {
  it('estimates an amount within its interval, and nothing from nothing', () => {
    fc.assert(
      fc.property(fc.array(stratum, { maxLength: 6 }), strata => {
        const found = estimateByRatio(strata);
        assert.equal(
          found === undefined,
          strata.every(({ counted }) => counted.length === 0),
        );
        if (found !== undefined) {
          assert.ok(found.low >= 0 && found.low <= found.likely && found.likely <= found.high);
          assert.ok(Number.isFinite(found.high));
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it('returns the exact total, within a token per request, if every request was counted', () => {
    fc.assert(
      fc.property(fc.array(sized, { minLength: 1, maxLength: 20 }), counted => {
        const text = counted.reduce((sum, one) => sum + one.text, 0);
        const tokens = counted.reduce((sum, one) => sum + one.tokens, 0);
        const { low, likely, high } = estimateByRatio([{ requests: counted.length, text, counted }]) ?? assert.fail();
        assert.ok(Math.abs(likely - tokens) < 1e-6 * tokens + 1e-6);
        assert.ok(high - likely <= counted.length + 1e-6 && likely - low <= counted.length + 1e-6);
      }),
      { numRuns: runs(200) },
    );
  });

  it('narrows the interval with more counted requests', () => {
    const widthOf = (count: number) => {
      const counted = Array.from({ length: count }, (_, at) => ({ text: 1000, tokens: 900 + (at % 3) * 100 }));
      const { low, high } = estimateByRatio([{ requests: 10_000, text: 10_000_000, counted }]) ?? assert.fail();
      return high - low;
    };
    assert.ok(widthOf(64) < widthOf(16) && widthOf(16) < widthOf(4));
  });

  it('learns a ratio, with an interval that runs narrow or widen', () => {
    assert.equal(predictByRatio([], 100, prior), undefined);
    assert.equal(predictByRatio([{ text: 0, tokens: 5 }], 100, prior), undefined);
    const alike = Array.from({ length: 8 }, () => ({ text: 1000, tokens: 1300 }));
    const different = alike.map((one, at) => ({ ...one, tokens: at % 2 === 0 ? 900 : 1900 }));
    const [few, many, wild] = [alike.slice(0, 1), alike, different].map(past => predictByRatio(past, 100, prior) ?? assert.fail());
    assert.ok(few !== undefined && many !== undefined && wild !== undefined);
    assert.ok(Math.abs(few.likely - 130) < 1e-9 && Math.abs(many.likely - 130) < 1e-9);
    assert.ok(many.high - many.low < few.high - few.low);
    assert.ok(wild.high - wild.low > few.high - few.low);
  });

  it('predicts an output within its interval and its bounds, always the same', () => {
    const values = fc.array(fc.integer({ min: -4000, max: 4000 }), { minLength: 2, maxLength: 40 });
    fc.assert(
      fc.property(
        fc.array(values, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 2000 }),
        fc.integer({ min: 1, max: 5000 }),
        (past, requests, cap) => {
          const question = { requests, most: requests * cap };
          const outputs = past.map(run => outputsOf(...run));
          const found = predictOutput(outputs, question, prior) ?? assert.fail();
          assert.ok(found.low >= 0 && found.low <= found.likely && found.likely <= found.high && found.high <= question.most);
          assert.deepEqual(predictOutput(outputs, question, prior), found);
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it('predicts nothing from one answer, for no request, or without max_tokens', () => {
    assert.equal(predictOutput([outputsOf(5)], { requests: 3, most: 90 }, prior), undefined);
    assert.equal(predictOutput([outputsOf(5, 6)], { requests: 0, most: 90 }, prior), undefined);
    assert.equal(predictOutput([outputsOf(5, 6)], { requests: 3, most: 0 }, prior), undefined);
  });

  it('raises the upper bound for answers that were cut short, but not the likely output', () => {
    const question = { requests: 100, most: 100 * 400 };
    const whole = predictOutput([outputsOf(100, 100, 100, 100)], question, prior) ?? assert.fail();
    const cut = predictOutput([outputsOf(-100, -100, 100, 100)], question, prior) ?? assert.fail();
    assert.equal(whole.likely, cut.likely);
    assert.ok(cut.high > 1.5 * whole.high);
  });

  it('limits past answers by a lower max_tokens', () => {
    const { likely } = predictOutput([outputsOf(100, 300, 100, 300)], { requests: 10, most: 10 * 150 }, prior) ?? assert.fail();
    assert.equal(likely, 10 * 125);
  });

  it('widens the interval by the difference between runs', () => {
    const run = (mean: number) => outputsOf(...Array.from({ length: 50 }, () => mean));
    const question = { requests: 500, most: 500 * 4000 };
    const [alike, different] = [
      [100, 100, 100],
      [50, 100, 200],
    ].map(means => predictOutput(means.map(run), question, prior) ?? assert.fail());
    assert.ok(alike !== undefined && different !== undefined);
    assert.ok(different.high / different.likely > alike.high / alike.likely);
  });
});
