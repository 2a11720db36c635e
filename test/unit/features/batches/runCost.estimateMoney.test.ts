import assert from 'node:assert/strict';
import { addMoney, costOf, savedMoney, savedTokens, toMoney } from '../../../../src/features/batches/runCost';

const range = (low: number, high = low) => ({ low, likely: (low + high) / 2, high });

describe('features/batches/runCost', () => {
  it('ranges from the least input without output to the most input and output', () => {
    const cost = costOf({ input: range(1_000_000, 2_000_000), maxOutput: 500_000 }, { input: 3, output: 15 });
    assert.deepEqual(cost, { low: 3, high: 6 + 7.5 });
    assert.deepEqual(addMoney([cost, { low: 1, high: 2 }]), { low: 4, high: 15.5 });
    assert.deepEqual(addMoney([]), { low: 0, high: 0 });
  });

  it('writes a prefix with one request and reads it with the others, unless one is marked already', () => {
    assert.deepEqual(savedTokens({ requests: 11, marked: 0, tokens: range(100, 200) }), { low: 1000, likely: 1500, high: 2000 });
    assert.deepEqual(savedTokens({ requests: 11, marked: 4, tokens: range(100) }), { low: 700, likely: 700, high: 700 });
    assert.deepEqual(savedTokens({ requests: 5, marked: 5, tokens: range(100) }), { low: 0, likely: 0, high: 0 });
  });

  it('shows what caching saves at best and costs at worst', () => {
    const price = { input: 10, output: 1, cacheRead: 1, cacheWrite: 12.5 };
    const money = savedMoney({ requests: 11, marked: 0, tokens: range(1_000_000) }, price);
    // At best, one write costs 12.5 and ten reads cost 1, all instead of 10. At worst, there are eleven writes.
    assert.deepEqual(money, { saves: { low: 87.5, high: 87.5 }, costs: 27.5 });
    const marked = savedMoney({ requests: 11, marked: 4, tokens: range(1_000_000) }, price);
    assert.deepEqual(marked, { saves: { low: 63, high: 63 }, costs: 17.5 });
  });

  it('shows no savings without a price, and uses default cache prices', () => {
    assert.equal(savedMoney({ requests: 2, marked: 0, tokens: range(1) }, undefined), undefined);
    const { saves, costs } = savedMoney({ requests: 3, marked: 0, tokens: range(1_000_000) }, { input: 1, output: 1 }) ?? assert.fail();
    assert.deepEqual([saves.high, costs], [1.55, 0.75]);
  });

  it('never promises a saving if writing costs more than reading saves', () => {
    const money = savedMoney({ requests: 2, marked: 0, tokens: range(1_000_000) }, { input: 1, output: 1, cacheRead: 0.9, cacheWrite: 2 });
    assert.deepEqual(money?.saves, { low: 0, high: 0 });
  });

  it('rounds bounds outwards', () => {
    assert.equal(toMoney(12.341, 'USD', 'en-US', 'down'), '$12.34');
    assert.equal(toMoney(12.341, 'USD', 'en-US', 'up'), '$12.35');
    assert.equal(toMoney(1234.1, 'EUR', 'en-US', 'up'), '€1,235');
    assert.equal(toMoney(0.00012, 'USD', 'en-US', 'down'), '$0.000120');
    assert.equal(toMoney(0, 'USD', 'en-US', 'up'), '$0.00');
    assert.equal(toMoney(0.1 + 0.2, 'USD', 'en-US', 'up'), '$0.30');
  });

  it('shows an invalid currency unchanged', () => {
    assert.equal(toMoney(2, 'credits', 'en-US', 'up'), '2.00 credits');
  });
});
