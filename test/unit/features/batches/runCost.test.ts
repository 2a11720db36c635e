import assert from 'node:assert/strict';
import { actualCost, costOfUsage, describeAliases, describeCost, estimatedCost } from '../../../../src/features/batches/runCost';
import { toRuns } from '../../../../src/features/ledger/runs';
import type { Submission } from '../../../../src/features/ledger/submission';
import { fillPlaceholders } from '../requests/fillPlaceholders';
import { resultsAt, submissionOf } from './fileRuns/submissionOf';
import { used } from './fileRuns/used';

const prices = new Map([
  ['small', { input: 1, output: 5, cacheRead: 0.2, cacheWrite: 1.5 }],
  ['plain', { input: 2, output: 10 }],
]);
const million = 1_000_000;
const context = { translate: fillPlaceholders, locale: 'en', currency: 'USD' };

describe('features/batches/runCost', () => {
  it('sums the tokens of each model at its own prices', () => {
    const usage = [used('small', { inputTokens: million, outputTokens: 200_000 }), used('plain', { inputTokens: million })];
    const cost = costOfUsage(usage, prices);
    assert.ok(cost);
    assert.equal(describeCost(cost, context), '$4.00');
  });

  it('derives cache prices from the input price unless they are set', () => {
    const cached = { cacheReadTokens: million, cacheWriteTokens: 2 * million, cacheWrite5mTokens: million, cacheWrite1hTokens: million };
    const amount = (model: string) => costOfUsage([used(model, cached)], prices)?.high;
    assert.equal(amount('plain'), 0.2 + 2.5 + 4);
    assert.equal(amount('small'), 0.2 + 1.5 + 2);
    const set = new Map([['small', { input: 1, output: 5, cacheWrite1h: 3 }]]);
    assert.equal(costOfUsage([used('small', { cacheWriteTokens: million, cacheWrite1hTokens: million })], set)?.high, 3);
  });

  it("uses the price of a dated model's alias, and says so", () => {
    const cost = costOfUsage([used('plain-20251001', { inputTokens: million })], prices);
    assert.ok(cost);
    assert.equal(describeCost(cost, context), '$2.00');
    assert.equal(describeAliases(cost.byAlias, context), 'plain-20251001 is priced as plain.');
  });

  it('is a range or a lower bound only if something is missing, and says what', () => {
    const words = (...usage: Parameters<typeof costOfUsage>[0]) => {
      const cost = costOfUsage(usage, prices);
      return cost && describeCost(cost, context);
    };
    const open = used('plain', { cacheWriteTokens: million });
    assert.equal(words(open), '$2.50 to $4.00 (cache time unknown for 1,000,000 tokens)');
    assert.equal(words(used('plain', { inputTokens: million }), used('other')), 'at least $2.00 (no price for other)');
    assert.equal(words(used('plain', { inputTokens: million, uncounted: 2 })), 'at least $2.00 (2 answers without token counts)');
    assert.equal(words(used('other')), undefined);
  });

  it('prices a run by the models that answered, and leaves unknown models without a cost', () => {
    const known = new Map([
      ['small', { input: 1, output: 4 }],
      ['large', { input: 3, output: 10 }],
    ]);
    const models = [['small', 6] as const, ['large', 6] as const];
    const runOf = (more: Partial<Submission>) => toRuns([submissionOf('1', more)])[0] ?? assert.fail();
    const run = runOf({ results: resultsAt('/1'), models });
    const { low, high } = actualCost(run, known) ?? {};
    assert.deepEqual([low, high], [3, 3]);
    assert.equal(actualCost(run, new Map()), undefined);
    assert.equal(actualCost(runOf({}), known), undefined);
    const estimate = ['small', 'new'].map(model => ({ model, inputLow: 800_000, inputHigh: 1_200_000, maxOutput: 1_000_000 }));
    assert.equal(estimatedCost(runOf({ estimate }), known), undefined);
    const [one] = estimate;
    const { low: least, high: most } = estimatedCost(runOf({ estimate: one === undefined ? [] : [one] }), known) ?? {};
    assert.deepEqual([least, most], [0.8, 5.2]);
    assert.equal(estimatedCost(run, known), undefined);
  });
});
