import type { Prices } from '../../../common/readPrices';
import type { ResultsReport } from '../../../jsonl/results/resultsReport';
import { type Run, resultsOf } from '../../ledger';
import { addMoney, costOf, type MoneyRange } from '../sheet/presentation/estimateMoney';

const million = 1_000_000;

/**
 * What the answers of a run cost by their tokens; what was read from or written to a cache is not among these. Between the prices of its
 * cheapest and its dearest model, as nobody counted the tokens by model. Undefined without results, models, or a price of each model.
 */
export function actualCost(run: Run, prices: Prices): MoneyRange | undefined {
  const report = resultsOf(run)?.report;
  return report && costOfTokens(report, modelsOf(run), prices);
}

/** What tokens cost that some of these models took and gave; undefined without a price of each. */
export function costOfTokens(
  { inputTokens, outputTokens }: Pick<ResultsReport, 'inputTokens' | 'outputTokens'>,
  models: readonly string[],
  prices: Prices,
): MoneyRange | undefined {
  const known = models.flatMap(model => prices.get(model) ?? []);
  if (known.length === 0 || known.length < models.length) {
    return undefined;
  }
  const costs = known.map(({ input, output }) => (inputTokens * input + outputTokens * output) / million);
  return { low: Math.min(...costs), high: Math.max(...costs) };
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
