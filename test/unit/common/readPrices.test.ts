import assert from 'node:assert/strict';
import { readPrices } from '../../../src/common/readPrices';

describe('common/readPrices', () => {
  it('accepts only valid prices', () => {
    const prices = readPrices({
      good: { input: 1, output: 0, cacheRead: 0.1, cacheWrite: 'x' },
      negative: { input: -1, output: 1 },
      text: { input: '1', output: 1 },
      infinite: { input: Number.POSITIVE_INFINITY, output: 1 },
      nothing: null,
      half: { input: 1 },
      number: 7,
    });
    assert.deepEqual([...prices], [['good', { input: 1, output: 0, cacheRead: 0.1 }]]);
  });
});
