import assert from 'node:assert/strict';
import { Mean, wilson } from '../../../../../src/features/batches/canary/wilson';
import { createRandom } from '../../../../../src/jsonl/arranging/random';

describe('features/batches/canary/wilson', () => {
  it('gives the bounds that tables of the interval have', () => {
    const rows: readonly (readonly [hits: number, tries: number, low: string, high: string])[] = [
      [0, 10, '0.0000', '0.2775'],
      [1, 10, '0.0179', '0.4042'],
      [5, 10, '0.2366', '0.7634'],
      [10, 10, '0.7225', '1.0000'],
      [50, 1000, '0.0381', '0.0653'],
      [0, 0, '0.0000', '1.0000'],
    ];
    assert.deepEqual(
      rows.map(([hits, tries]) => {
        const { low, high } = wilson(hits, tries);
        return [hits, tries, low.toFixed(4), high.toFixed(4)];
      }),
      rows,
    );
  });

  it('holds the true share in about 19 of 20 samples', () => {
    const random = createRandom('wilson');
    let held = 0;
    for (let sample = 0; sample < 2000; sample++) {
      let hits = 0;
      for (let n = 0; n < 50; n++) {
        hits += random.below(10) === 0 ? 1 : 0;
      }
      const { low, high } = wilson(hits, 50);
      held += low <= 0.1 && 0.1 <= high ? 1 : 0;
    }
    assert.ok(held > 1840 && held < 2000, `${held}`);
  });

  it('extrapolates a mean with what chance leaves open', () => {
    const mean = new Mean();
    assert.deepEqual(mean.times(5), { low: 0, likely: 0, high: 0 });
    for (const value of [10, 20, 30]) {
      mean.add(value);
    }
    const { low, likely, high } = mean.times(100);
    assert.equal(likely, 2000);
    // 10 / sqrt(3) * 1.96 on either side of 20.
    assert.deepEqual([low.toFixed(0), high.toFixed(0)], ['868', '3132']);
  });
});
