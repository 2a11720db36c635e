import assert from 'node:assert/strict';
import { costOfTokens } from '../../../../../src/features/batches/fileRuns/runCost';
import * as money from '../../../../../src/features/batches/sheet/presentation/estimateMoney';
import { comparedCost, type MoneyContext } from '../../../../../src/features/results/comparing/comparedCost';

const reckon = { ...money, costOfTokens } as unknown as MoneyContext['reckon'];
const context: MoneyContext = {
  translate: (text, ...args) => text.replace(/\{(\d)\}/g, (_, at) => String(args[Number(at)])),
  ...{ locale: 'en', currency: 'USD', reckon },
  prices: new Map([
    ['small', { input: 1, output: 5 }],
    ['large', { input: 10, output: 50 }],
  ]),
};
const tokens = {
  inputTokens: [1_000_000, 2_000_000],
  outputTokens: [200_000, 100_000],
  cacheReadTokens: [0, 0],
  cacheWriteTokens: [0, 0],
} as const;
const costOf = (before: readonly string[], after: readonly string[], more: Partial<MoneyContext> = {}) =>
  comparedCost(tokens, [before, after], { ...context, ...more });

describe('features/results/comparing/comparedCost', () => {
  it('says what both runs cost, and how much more or less the newer one', () => {
    assert.deepEqual(costOf(['small'], ['small']), ['$2.00', '$2.50 (+25 %)']);
    assert.deepEqual(costOf(['large'], ['small']), ['$20.00', '$2.50 (−87 %)']);
  });

  it('gives bounds where a run asked several models, and no share of bounds', () => {
    assert.deepEqual(costOf(['small', 'large'], ['small']), ['$2.00 to $20.00', '$2.50']);
  });

  it('says that a run has no price, and nothing where neither has one', () => {
    assert.deepEqual(costOf(['other'], ['small']), ['no price', '$2.50']);
    assert.deepEqual(costOf(['small', 'other'], ['small']), ['no price', '$2.50']);
    assert.equal(costOf(['other'], []), undefined);
    assert.equal(costOf(['small'], ['small'], { prices: new Map() }), undefined);
  });

  it('counts what was read from a cache and written to one', () => {
    const prices = new Map([['small', { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 }]]);
    const cached = { ...tokens, cacheReadTokens: [0, 10_000_000], cacheWriteTokens: [0, 400_000] } as const;
    assert.deepEqual(comparedCost(cached, [['small'], ['small']], { ...context, prices }), ['$2.00', '$4.00 (+100 %)']);
  });

  it('has no share of nothing', () => {
    const prices = new Map([
      ['free', { input: 0, output: 0 }],
      ['small', { input: 1, output: 5 }],
    ]);
    assert.deepEqual(costOf(['free'], ['small'], { prices }), ['$0.00', '$2.50']);
  });
});
