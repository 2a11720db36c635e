import assert from 'node:assert/strict';
import fc from 'fast-check';
import { toValueScale } from '../../../../../src/webview/session/pictures/valueScale';
import { runs } from '../../../../helpers/runs';

const anyValue = fc.oneof(fc.nat(20), fc.nat(50_000_000), fc.double({ min: 0, max: 1e12, noNaN: true }));

describe('webview/session/pictures/valueScale', () => {
  it('has a few round numbers, from 0 to the maximum', () => {
    const valuesOf = (...args: Parameters<typeof toValueScale>) => toValueScale(...args).ticks.map(({ value }) => value);
    assert.deepEqual(valuesOf(1500), [0, 500, 1000, 1500]);
    assert.deepEqual(valuesOf(0), [0, 1]);
    assert.deepEqual(valuesOf(3), [0, 1, 2, 3]);
    assert.deepEqual(valuesOf(62, 0.01), [0, 20, 40, 60, 80]);
  });

  it('never draws a value below a smaller one, or outside', () => {
    fc.assert(
      fc.property(fc.array(anyValue, { minLength: 2, maxLength: 20 }), values => {
        const scale = toValueScale(Math.max(...values));
        const shares = values.toSorted((a, b) => a - b).map(scale.toShare);
        assert.ok(shares.every((share, index) => share >= 0 && share <= 1 && share >= (shares[index - 1] ?? 0)));
        assert.equal(scale.toShare(0), 0);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('has numbers at the position of their values', () => {
    fc.assert(
      fc.property(anyValue, most => {
        const { ticks, toShare } = toValueScale(most);
        assert.ok(ticks.length >= 2 && ticks.length <= 8, `${ticks.length} ticks`);
        assert.ok(ticks.every(({ value, share }) => Math.abs(toShare(value) - share) < 1e-9));
        assert.deepEqual([ticks[0]?.share, Math.round((ticks.at(-1)?.share ?? 0) * 1e9)], [0, 1e9]);
        assert.ok((ticks.at(-1)?.value ?? 0) >= most * (1 - 1e-6));
      }),
      { numRuns: runs(2000) },
    );
  });
});
