import assert from 'node:assert/strict';
import fc from 'fast-check';
import { toHistogram } from '../../../../src/jsonl/querying/histogram';
import { runs } from '../../../helpers/runs';

describe('jsonl/querying/histogram', () => {
  it('has round bounds of even width, or growing ones when the values are far apart', () => {
    assert.equal(toHistogram(new Uint32Array()), undefined);
    assert.deepEqual(toHistogram(Uint32Array.of(7, 7)), { from: [7], counts: [2], min: 7, median: 7, max: 7 });
    assert.deepEqual(toHistogram(Uint32Array.of(160, 101, 399)), {
      from: [100, 120, 140, 160, 180, 200, 220, 240, 260, 280, 300, 320, 340, 360, 380],
      counts: [1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
      min: 101,
      median: 160,
      max: 399,
    });
    assert.deepEqual(toHistogram(Uint32Array.of(0, 3, 4001, 20))?.from, [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000]);
  });

  it('counts every value in the bucket it is in, in few buckets', () => {
    fc.assert(
      fc.property(fc.uint32Array({ minLength: 1, maxLength: 50 }), values => {
        const { from, counts, min, max } = toHistogram(Uint32Array.from(values)) ?? assert.fail();
        assert.ok(from.length <= 32);
        const plain = from.map((bound, at) => values.filter(value => value >= bound && value < (from[at + 1] ?? Infinity)).length);
        assert.deepEqual(counts, plain);
        assert.deepEqual([min, max], [Math.min(...values), Math.max(...values)]);
        assert.ok((from[0] as number) <= min && (from.at(-1) as number) <= max);
      }),
      { numRuns: runs(200) },
    );
  });
});
