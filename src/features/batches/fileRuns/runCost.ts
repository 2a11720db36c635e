import type { Prices } from '../../../common/readPrices';
import type { ResultsReport } from '../../../jsonl/results/resultsReport';
import { type Run, resultsOf } from '../../ledger';
import { addMoney, costOf, type MoneyRange } from '../sheet/presentation/estimateMoney';

const million = 1_000_000;

/** Tokens of answers, with those of the cache where they were counted. */
export type AnswerTokens = Pick<ResultsReport, 'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheWriteTokens'>;

/**
 * What the answers of a run cost by their tokens. Between the prices of its cheapest and its dearest model, as nobody counted the tokens
 * by model. Undefined without results, models, or a price of each model.
 */
export function actualCost(run: Run, prices: Prices): MoneyRange | undefined {
  const report = resultsOf(run)?.report;
  return report && costOfTokens(report, modelsOf(run), prices);
}

/**
 * What tokens cost that some of these models took and gave; undefined without a price of each. Where a price of the cache is not set,
 * reading costs between nothing and what input costs, and writing between that and twice as much, which is what services take.
 */
export function costOfTokens(tokens: AnswerTokens, models: readonly string[], prices: Prices): MoneyRange | undefined {
  const known = models.flatMap(model => prices.get(model) ?? []);
  if (known.length === 0 || known.length < models.length) {
    return undefined;
  }
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = tokens;
  const costs = known.map(({ input, output, cacheRead, cacheWrite }) => {
    const plain = inputTokens * input + outputTokens * output;
    return {
      low: (plain + cacheReadTokens * (cacheRead ?? 0) + cacheWriteTokens * (cacheWrite ?? input)) / million,
      high: (plain + cacheReadTokens * (cacheRead ?? input) + cacheWriteTokens * (cacheWrite ?? 2 * input)) / million,
    };
  });
  return { low: Math.min(...costs.map(({ low }) => low)), high: Math.max(...costs.map(({ high }) => high)) };
}

/** What a run was estimated to cost before it was sent, at today's prices. Undefined when that was not written down or has no price. */
export function estimatedCost({ lead: { estimate = [] } }: Run, prices: Prices): MoneyRange | undefined {
  const costs = estimate.flatMap(({ model, inputLow, inputHigh, maxOutput }) => {
    const price = prices.get(model);
    return price === undefined ? [] : costOf({ input: { low: inputLow, likely: inputLow, high: inputHigh }, maxOutput }, price);
  });
  return costs.length === 0 || costs.length < estimate.length ? undefined : addMoney(costs);
}

/** The models that a run asked, over all its parts. */
export function modelsOf({ submissions }: Run): readonly string[] {
  return [...new Set(submissions.flatMap(({ models = [] }) => models.map(([model]) => model)))];
}
