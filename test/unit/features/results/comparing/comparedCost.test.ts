import assert from 'node:assert/strict';
import * as cost from '../../../../../src/features/batches/runCost';
import * as money from '../../../../../src/features/batches/sheet/presentation/estimateMoney';
import { comparedCost, type MoneyContext } from '../../../../../src/features/results/comparing/comparePresentation';
import { used } from '../../batches/fileRuns/used';
import { english } from '../../requests/fillPlaces';

const context: MoneyContext = {
  ...{ ...english, currency: 'USD', reckon: { ...money, ...cost } },
  prices: new Map([
    ['small', { input: 1, output: 5 }],
    ['large', { input: 10, output: 50 }],
    ['free', { input: 0, output: 0 }],
  ]),
};
const before = { inputTokens: 1_000_000, outputTokens: 200_000 };
const after = { inputTokens: 2_000_000, outputTokens: 100_000 };

describe('features/results/comparing/comparedCost', () => {
  const costOf = (first: string, second: string) =>
    comparedCost({ usage: [[used(first, before)], [used(second, after)]] }, [[], []], context);

  it('says what both runs cost, and how much more or less the newer one', () => {
    assert.deepEqual(costOf('small', 'small'), ['$2.00', '$2.50 (+25 %)']);
    assert.deepEqual(costOf('large', 'small'), ['$20.00', '$2.50 (−87 %)']);
    assert.deepEqual(costOf('free', 'small'), ['$0.00', '$2.50']);
  });

  it('is exact where a run asked several models', () => {
    const usage = [[used('small', before), used('large', before)], [used('small', after)]] as const;
    assert.deepEqual(comparedCost({ usage }, [[], []], context), ['$22.00', '$2.50 (−89 %)']);
  });

  it('says which model has no price, and nothing where neither run has one', () => {
    assert.deepEqual(costOf('other', 'small'), ['no price', '$2.50']);
    const usage = [[used('small', before), used('other', before)], [used('small', after)]] as const;
    assert.deepEqual(comparedCost({ usage }, [[], []], context), ['at least $2.00 (no price for other)', '$2.50']);
    assert.equal(costOf('other', 'other'), undefined);
  });

  it('takes answers without a model for those of the one that was asked', () => {
    const usage = [[used('', before)], [used('', after)]] as const;
    assert.deepEqual(comparedCost({ usage }, [['small'], ['small', 'large']], context), ['$2.00', 'no price']);
  });
});
