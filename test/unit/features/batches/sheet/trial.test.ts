import assert from 'node:assert/strict';
import { toTrialOutcome, usualTrialSize } from '../../../../../src/features/batches/sheet/trial';

describe('features/batches/sheet/trial', () => {
  it('gives the bounds that tables of the interval have', () => {
    const rows: readonly (readonly [succeeded: number, sampled: number, low: string, high: string])[] = [
      [0, 10, '0.0000', '0.2775'],
      [1, 10, '0.0179', '0.4042'],
      [5, 10, '0.2366', '0.7634'],
      [10, 10, '0.7225', '1.0000'],
      [50, 1000, '0.0381', '0.0653'],
    ];
    assert.deepEqual(
      rows.map(([kept, sampled]) => {
        const { low, high } = toTrialOutcome(sampled, { kept }, 0, undefined);
        return [kept, sampled, low.toFixed(4), high.toFixed(4)];
      }),
      rows,
    );
  });

  it('counts a good answer that is not as expected as a failure', () => {
    const { succeeded, unmet } = toTrialOutcome(10, { kept: 9 }, 3, undefined);
    assert.deepEqual([succeeded, unmet], [6, 3]);
  });

  it('takes 1 % of the requests, at least 10 and at most 50, and never all', () => {
    assert.deepEqual([5, 11, 200, 3000, 9000].map(usualTrialSize), [4, 10, 10, 30, 50]);
  });
});
