import { findPrice, type Prices } from '../../common/readPrices';
import type { SpendLimit } from '../../settingValues';
import { isRecord } from '../../shared/isRecord';
import { mayHaveBatch, type Run } from '../ledger';
import { actualCost, addMoney, costOf, estimatedCost, type MoneyContext, predictedCost, toMoney } from './runCost';
import type { Prediction } from './sheet/prediction';

/** Parses the spending limits in the settings. Ignores invalid amounts. */
export function toSpendLimit(setting: unknown): SpendLimit {
  const { batch, day } = isRecord(setting) ? setting : {};
  const isAmount = (value: unknown): value is number => typeof value === 'number' && value >= 0;
  return { ...(isAmount(batch) && { batch }), ...(isAmount(day) && { day }) };
}

/** A spending limit that sending would exceed, with the amount that exceeds it. `amount` is `undefined` if the cost is not known. */
export interface OverLimit {
  readonly per: keyof SpendLimit;
  readonly amount: number | undefined;
  readonly limit: number;
}

/**
 * Returns the highest likely cost: the upper end of the prediction, or the upper bound if there is no prediction. `undefined` if a price is
 * missing.
 */
export function greatestCost({ models }: Pick<Prediction, 'models'>, prices: Prices): number | undefined {
  const costs = models.flatMap(({ output, ...model }) => {
    const price = findPrice(prices, model.model)?.price;
    return price === undefined ? [] : [output === undefined ? costOf(model, price) : predictedCost({ ...model, output }, price)];
  });
  return costs.length < models.length ? undefined : addMoney(costs).high;
}

/**
 * Returns the total cost of the runs since `since` (milliseconds since 1970). A run without a known cost counts with its maximum estimate.
 */
export function spentSince(runs: readonly Run[], since: number, prices: Prices): number {
  return runs
    .filter(({ startedAt, submissions }) => Date.parse(startedAt) >= since && submissions.some(mayHaveBatch))
    .reduce((sum, run) => sum + ((actualCost(run, prices) ?? estimatedCost(run, prices))?.high ?? 0), 0);
}

/** Returns the start of the day of `time` in this machine's time zone. Both are in milliseconds since 1970. */
export function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

/** Returns the limit that a batch of this cost would exceed. The limit per batch is checked first. An unknown cost exceeds every limit. */
export function exceededLimit({ batch, day }: SpendLimit, cost: number | undefined, spentToday: number): OverLimit | undefined {
  if (batch !== undefined && (cost === undefined || cost > batch)) {
    return { per: 'batch', amount: cost, limit: batch };
  }
  if (day !== undefined && (cost === undefined || spentToday + cost > day)) {
    return { per: 'day', amount: cost === undefined ? undefined : spentToday + cost, limit: day };
  }
  return undefined;
}

/** Returns the limit that sending the remaining `share` (0 to 1) of a run would exceed. `runs` are all runs, including this one. */
export function limitOfRest(run: Run, share: number, runs: readonly Run[], prices: Prices, limit: SpendLimit): OverLimit | undefined {
  const whole = estimatedCost(run, prices)?.high;
  const today = startOfDay(Date.now());
  const others = runs.filter(({ id }) => id !== run.id);
  const sent = Date.parse(run.startedAt) < today ? 0 : (actualCost(run, prices)?.high ?? (whole ?? 0) * (1 - share));
  return exceededLimit(limit, whole && whole * share, spentSince(others, today, prices) + sent);
}

/** Describes an exceeded limit and the amount that exceeds it. */
export function describeLimit({ per, amount, limit }: OverLimit, { translate: t, locale, currency }: MoneyContext): string {
  const limitText = toMoney(limit, currency, locale, 'nearest');
  if (amount === undefined) {
    return per === 'batch'
      ? t('The cost is unknown. Your limit per batch is {0}.', limitText)
      : t('The cost is unknown. Your daily limit is {0}.', limitText);
  }
  const cost = toMoney(amount, currency, locale, 'up');
  return per === 'batch'
    ? t('This batch may cost {0}. Your limit per batch is {1}.', cost, limitText)
    : t("With this batch, today's cost may reach {0}. Your daily limit is {1}.", cost, limitText);
}

/** Returns the label of the button that sends despite an exceeded limit. Includes the limit and the amount that exceeds it. */
export function toOverLimitLabel({ amount, limit }: OverLimit, { translate: t, locale, currency }: MoneyContext): string {
  const limitText = toMoney(limit, currency, locale, 'nearest');
  return amount === undefined
    ? t('Send at Unknown Cost (Limit {0})', limitText)
    : t('Spend {0} (Limit {1})', toMoney(amount, currency, locale, 'up'), limitText);
}
