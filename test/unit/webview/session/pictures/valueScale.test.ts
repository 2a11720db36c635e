import assert from 'node:assert/strict';
import fc from 'fast-check';
import { chooseScale, toValueScale } from '../../../../../src/webview/session/pictures/valueScale';
import { runs } from '../../../../helpers/runs';

const anyValue = fc.oneof(fc.nat(20), fc.nat(50_000_000), fc.double({ min: 0, max: 1e12, noNaN: true }));
const anyKind = fc.constantFrom('linear' as const, 'log' as const);

describe('webview/session/pictures/valueScale', () => {
  it('is logarithmic if one value would flatten the others, and linear otherwise', () => {
    assert.equal(chooseScale([1500, 400]), 'linear');
    assert.equal(chooseScale([1500, 400_000]), 'log');
    assert.equal(chooseScale([0, 400_000]), 'linear');
    assert.equal(chooseScale([]), 'linear');
  });

  it('has a few round numbers, from 0 to the maximum', () => {
    const valuesOf = (...args: Parameters<typeof toValueScale>) => toValueScale(...args).ticks.map(({ value }) => value);
    assert.deepEqual(valuesOf('linear', 1500), [0, 500, 1000, 1500]);
    assert.deepEqual(valuesOf('linear', 0), [0, 1]);
    assert.deepEqual(valuesOf('linear', 3), [0, 1, 2, 3]);
    assert.deepEqual(valuesOf('linear', 62, 0.01), [0, 20, 40, 60, 80]);
    assert.deepEqual(valuesOf('log', 5000), [0, 1, 10, 100, 1000, 10_000]);
    assert.deepEqual(valuesOf('log', 90_000_000), [0, 1, 100, 10_000, 1_000_000, 100_000_000]);
  });

  it('never draws a value below a smaller one, or outside', () => {
    fc.assert(
      fc.property(anyKind, fc.array(anyValue, { minLength: 2, maxLength: 20 }), (kind, values) => {
        const scale = toValueScale(kind, Math.max(...values));
        const shares = values.toSorted((a, b) => a - b).map(scale.toShare);
        assert.ok(shares.every((share, index) => share >= 0 && share <= 1 && share >= (shares[index - 1] ?? 0)));
        assert.equal(scale.toShare(0), 0);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('has numbers at the position of their values', () => {
    fc.assert(
      fc.property(anyKind, anyValue, (kind, most) => {
        const { ticks, toShare } = toValueScale(kind, most);
        assert.ok(ticks.length >= 2 && ticks.length <= 8, `${ticks.length} ticks`);
        assert.ok(ticks.every(({ value, share }) => Math.abs(toShare(value) - share) < 1e-9));
        assert.deepEqual([ticks[0]?.share, Math.round((ticks.at(-1)?.share ?? 0) * 1e9)], [0, 1e9]);
        assert.ok((ticks.at(-1)?.value ?? 0) >= most * (1 - 1e-6));
      }),
      { numRuns: runs(2000) },
    );
  });

  it('lets no large value flatten the others if it was chosen for it', () => {
    const scale = toValueScale(chooseScale([40, 9_000_000]), 9_000_000);
    assert.ok(scale.toShare(40) > 0.2);
  });
});
