import assert from 'node:assert/strict';
import { costOfTokens } from '../../../../../src/features/batches/fileRuns/runCost';

const prices = new Map([
  ['small', { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 }],
  ['plain', { input: 2, output: 10 }],
]);
const tokens = { inputTokens: 1_000_000, outputTokens: 200_000 };

describe('features/batches/fileRuns/runCost', () => {
  it('counts tokens of the cache at their own prices', () => {
    assert.deepEqual(costOfTokens(tokens, ['small'], prices), { low: 2, high: 2 });
    const cached = { ...tokens, cacheReadTokens: 5_000_000, cacheWriteTokens: 400_000 };
    assert.deepEqual(costOfTokens(cached, ['small'], prices), { low: 3, high: 3 });
  });

  it('gives bounds where prices of the cache are not set', () => {
    const read = { ...tokens, cacheReadTokens: 1_000_000 };
    assert.deepEqual(costOfTokens(read, ['plain'], prices), { low: 4, high: 6 });
    const written = { ...tokens, cacheWriteTokens: 1_000_000 };
    assert.deepEqual(costOfTokens(written, ['plain'], prices), { low: 6, high: 8 });
  });

  it('is between the cheapest and the dearest model, and nothing where one has no price', () => {
    assert.deepEqual(costOfTokens({ ...tokens, cacheReadTokens: 1_000_000 }, ['small', 'plain'], prices), { low: 2.1, high: 6 });
    assert.equal(costOfTokens(tokens, ['small', 'other'], prices), undefined);
    assert.equal(costOfTokens(tokens, [], prices), undefined);
  });
});
