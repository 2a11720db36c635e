import { findPrice, type Prices } from '../../../common/readPrices';
import type { PresentationContext } from '../../../common/text/presentation';
import type { RequestChange, RetryGroup } from '../../../jsonl/retrying/retryingJobs';
import { numberFormat } from '../../../shared/formats';
import { addMoney, costOf, type MoneyRange, toMoney } from '../sheet/presentation/estimateMoney';

/** What is to be done with a group when it is chosen. */
export interface PlannedAct {
  readonly change: RequestChange | undefined;
}

/** Prices of the connection's models, as far as they are set. */
export interface RetryPrices {
  readonly prices: Prices;
  readonly currency: string;
}

/** Tokens of a group at most, and their price where every model has one. */
export interface GroupCost {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly money: MoneyRange | undefined;
}

export function costOfGroup({ costs }: RetryGroup, { change }: PlannedAct, { prices }: RetryPrices): GroupCost {
  const rows = costs.map(cost => ({
    ...cost,
    outputTokens: outputAfter(cost, change),
    model: change?.kind === 'set_model' ? change.model : cost.model,
  }));
  const money = rows.map(({ model, inputTokens, outputTokens }) => {
    const found = findPrice(prices, model);
    return found && costOf({ input: { low: inputTokens, likely: inputTokens, high: inputTokens }, maxOutput: outputTokens }, found.price);
  });
  const known = money.filter(range => range !== undefined);
  return {
    inputTokens: rows.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
    outputTokens: rows.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
    money: known.length === money.length && known.length > 0 ? addMoney(known) : undefined,
  };
}

/** At most: the sum of what is asked for may be less. */
function outputAfter(
  { requests, outputTokens, mostOfOne, raisedTokens }: RetryGroup['costs'][number],
  change: RequestChange | undefined,
): number {
  switch (change?.kind) {
    case 'raise_max_tokens':
      return requests * Math.max(change.to, mostOfOne);
    case 'raise_each':
      return raisedTokens ?? outputTokens;
    case 'lower_max_tokens':
      return Math.min(outputTokens, requests * change.to);
    default:
      return outputTokens;
  }
}

export function describeCost(
  { inputTokens, outputTokens, money }: GroupCost,
  { currency }: RetryPrices,
  context: PresentationContext,
): string {
  const { translate: t, locale } = context;
  const tokens =
    outputTokens === 1
      ? t('about {0} input tokens, at most 1 output token', count(inputTokens, locale))
      : t('about {0} input tokens, at most {1} output tokens', count(inputTokens, locale), count(outputTokens, locale));
  return money === undefined ? tokens : `${tokens}, ${t('at most {0}', toMoney(money.high, currency, locale, 'up'))}`;
}

/** The most that it can cost, in money where that is known, else in tokens. */
export function describeMost(
  { inputTokens, outputTokens, money }: GroupCost,
  { currency }: RetryPrices,
  { translate: t, locale }: PresentationContext,
): string {
  return money === undefined
    ? t('at most {0} tokens', count(inputTokens + outputTokens, locale))
    : t('at most {0}', toMoney(money.high, currency, locale, 'up'));
}

/** The cost of all that is chosen; money only when it is known of every part. */
export function addCosts(costs: readonly GroupCost[]): GroupCost {
  const money = costs.map(cost => cost.money).filter(range => range !== undefined);
  return {
    inputTokens: costs.reduce((sum, cost) => sum + cost.inputTokens, 0),
    outputTokens: costs.reduce((sum, cost) => sum + cost.outputTokens, 0),
    money: money.length === costs.length && money.length > 0 ? addMoney(money) : undefined,
  };
}

function count(value: number, locale: string): string {
  return numberFormat(locale).format(value);
}
