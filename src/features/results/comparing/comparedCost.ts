import type { Prices } from '../../../common/readPrices';
import type { Comparison } from '../../../jsonl/comparing/comparingJobs';
import { numberFormat } from '../../../shared/formats';
import type { loadMoney } from '../../batches';
import type { CompareContext } from './comparePresentation';

/** Prices, and the functions that compute and format costs. */
export interface MoneyContext extends CompareContext {
  readonly reckon: Awaited<ReturnType<typeof loadMoney>>;
  readonly prices: Prices;
  readonly currency: string;
}

/**
 * Formats the costs of the answers to the requests in both runs. `asked` are the models requested in each run. Returns `undefined` if no
 * model of either run has a price.
 */
export function comparedCost(
  { usage }: Pick<Comparison, 'usage'>,
  asked: readonly [before: readonly string[], after: readonly string[]],
  { reckon, prices, currency, translate, locale }: MoneyContext,
): readonly [before: string, after: string] | undefined {
  const [before, after] = [reckon.costOfUsage(usage[0], prices, asked[0]), reckon.costOfUsage(usage[1], prices, asked[1])];
  if (before === undefined && after === undefined) {
    return undefined;
  }
  const words = (cost: typeof before) =>
    cost === undefined ? translate('no price') : reckon.describeCost(cost, { translate, currency, locale });
  const isExact = before !== undefined && after !== undefined && reckon.isExact(before) && reckon.isExact(after);
  const share = isExact && before.low > 0 ? Math.round((after.low / before.low - 1) * 100) : undefined;
  const more = share === undefined ? '' : ` (${share >= 0 ? '+' : '−'}${numberFormat(locale).format(Math.abs(share))} %)`;
  return [words(before), `${words(after)}${more}`];
}
