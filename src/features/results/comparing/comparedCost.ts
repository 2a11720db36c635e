import type { Prices } from '../../../common/readPrices';
import type { Comparison } from '../../../jsonl/comparing/comparingJobs';
import { numberFormat } from '../../../shared/formats';
import type { loadMoney } from '../../batches';
import type { CompareContext } from './comparePresentation';

/** How money is reckoned and said. */
export interface MoneyContext extends CompareContext {
  readonly reckon: Awaited<ReturnType<typeof loadMoney>>;
  readonly prices: Prices;
  readonly currency: string;
}

/**
 * What the answers to the requests in both runs cost by their tokens, in words. Undefined where neither run has a price of each of its models.
 */
export function comparedCost(
  tokens: Pick<Comparison, 'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheWriteTokens'>,
  models: readonly [before: readonly string[], after: readonly string[]],
  { reckon, prices, currency, translate: t, locale }: MoneyContext,
): readonly [before: string, after: string] | undefined {
  const rangeOf = (side: 0 | 1) =>
    reckon.costOfTokens(
      {
        inputTokens: tokens.inputTokens[side],
        outputTokens: tokens.outputTokens[side],
        cacheReadTokens: tokens.cacheReadTokens[side],
        cacheWriteTokens: tokens.cacheWriteTokens[side],
      },
      models[side],
      prices,
    );
  const [before, after] = [rangeOf(0), rangeOf(1)];
  if (before === undefined && after === undefined) {
    return undefined;
  }
  const words = (range: typeof before) =>
    range === undefined ? t('no price') : reckon.toMoneyRange(range, { translate: t, currency, locale });
  const isExact = before !== undefined && after !== undefined && before.low === before.high && after.low === after.high;
  const share = isExact && before.low > 0 ? Math.round((after.low / before.low - 1) * 100) : undefined;
  const more = share === undefined ? '' : ` (${share >= 0 ? '+' : '−'}${numberFormat(locale).format(Math.abs(share))} %)`;
  return [words(before), `${words(after)}${more}`];
}
