import { cachePrices } from '../../../../common/readPrices';
import type { Translate } from '../../../../common/text/translate';
import type { ModelPrice } from '../../../../contributions';
import type { ModelSurvey, SharedPrefix, TokenRange } from '../../../../jsonl/survey/fileSurvey';
import { numberFormat } from '../../../../shared/formats';
import type { CacheMix } from '../../../ledger';

/** An amount of money between two bounds, in whole units of the currency. */
export interface MoneyRange {
  readonly low: number;
  readonly high: number;
}

const million = 1_000_000;

/**
 * Returns the cost range of the requests of one model. The lower bound assumes the least input, read from the cache up to the markers, and
 * no output. The upper bound assumes the most input, written to the cache up to the markers, and the maximum output.
 */
export function costOf(
  {
    input,
    maxOutput,
    cached5m = 0,
    cached1h = 0,
  }: Pick<ModelSurvey, 'input' | 'maxOutput'> & Partial<Pick<ModelSurvey, 'cached5m' | 'cached1h'>>,
  price: ModelPrice,
): MoneyRange {
  const { read, write5m, write1h } = cachePrices(price);
  const extra = cached5m * Math.max(0, write5m - price.input) + cached1h * Math.max(0, write1h - price.input);
  const saved = Math.min(input.low, cached5m + cached1h) * Math.max(0, price.input - read);
  return {
    low: (input.low * price.input - saved) / million,
    high: (input.high * price.input + extra + maxOutput * price.output) / million,
  };
}

/** A predicted amount of money with its interval. */
export interface PredictedMoney extends MoneyRange {
  readonly likely: number;
}

/** Returns the cost of a model's requests with the predicted input and output. */
export function predictedCost(
  { input, output, cacheMix }: { readonly input: TokenRange; readonly output: TokenRange; readonly cacheMix?: CacheMix | undefined },
  price: ModelPrice,
): PredictedMoney {
  const { read: readPrice, write5m: price5m, write1h: price1h } = cachePrices(price);
  const { read, write5m, write1h } = cacheMix ?? { read: 0, write5m: 0, write1h: 0 };
  const perInput = (1 - read - write5m - write1h) * price.input + read * readPrice + write5m * price5m + write1h * price1h;
  const at = (end: keyof TokenRange) => (input[end] * perInput + output[end] * price.output) / million;
  return { low: at('low'), likely: at('likely'), high: at('high') };
}

/** Returns the tokens saved by marking a prefix if every request that can read it from the cache does. */
export function savedTokens({ requests, marked, tokens }: Pick<SharedPrefix, 'requests' | 'marked' | 'tokens'>): TokenRange {
  // One request writes the prefix to the cache, unless a marked one already does.
  const readers = Math.max(0, requests - Math.max(marked, 1));
  return { low: tokens.low * readers, likely: tokens.likely * readers, high: tokens.high * readers };
}

/**
 * Returns how marking a prefix changes the cost, or `undefined` without a price. `saves` assumes that all requests but the first read the
 * prefix from the cache. `costs` assumes that each request writes it and none reads it.
 */
export function savedMoney(
  prefix: Pick<SharedPrefix, 'requests' | 'marked' | 'tokens'>,
  price: ModelPrice | undefined,
): { readonly saves: MoneyRange; readonly costs: number } | undefined {
  if (price === undefined) {
    return undefined;
  }
  const { read, write5m } = cachePrices(price);
  const { requests, marked, tokens } = prefix;
  const unmarked = Math.max(0, requests - marked);
  const writers = Math.min(unmarked, marked === 0 ? 1 : 0);
  const perToken = ((unmarked - writers) * (price.input - read) - writers * (write5m - price.input)) / million;
  return {
    saves: { low: Math.max(0, tokens.low * perToken), high: Math.max(0, tokens.high * perToken) },
    costs: Math.max(0, (tokens.high * unmarked * (write5m - price.input)) / million),
  };
}

export function addPredicted(amounts: readonly PredictedMoney[]): PredictedMoney {
  return { ...addMoney(amounts), likely: amounts.reduce((sum, { likely }) => sum + likely, 0) };
}

/** Returns the sum of ranges. */
export function addMoney(ranges: readonly MoneyRange[]): MoneyRange {
  return ranges.reduce((sum, { low, high }) => ({ low: sum.low + low, high: sum.high + high }), { low: 0, high: 0 });
}

/** Settings for formatting money. */
export interface MoneyContext {
  readonly translate: Translate;
  readonly locale: string;
  readonly currency: string;
}

const roundings = { down: Math.floor, up: Math.ceil, nearest: Math.round } as const;

/** Formats an amount, rounded in the given direction. A currency that isn't a three-letter code is shown unchanged. */
export function toMoney(amount: number, currency: string, locale: string, round: 'down' | 'up' | 'nearest'): string {
  const digits = amount >= 100 ? 0 : amount >= 0.1 || amount === 0 ? 2 : amount >= 0.001 ? 4 : 6;
  const scale = 10 ** digits;
  // Removes floating-point errors, so that rounding up keeps an exact amount.
  const exact = Number((amount * scale).toPrecision(12));
  const value = roundings[round](exact) / scale;
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  try {
    return numberFormat(locale, { style: 'currency', currency, ...format }).format(value);
  } catch {
    return `${numberFormat(locale, format).format(value)} ${currency}`;
  }
}

/** Formats a range of money, or one amount if both bounds are equal. */
export function toMoneyRange({ low, high }: MoneyRange, { translate: t, currency, locale }: MoneyContext): string {
  return low === high
    ? toMoney(low, currency, locale, 'nearest')
    : t('{0} to {1}', toMoney(low, currency, locale, 'down'), toMoney(high, currency, locale, 'up'));
}

/** Formats a predicted amount: `$0.05 ($0.04 to $0.06)`. */
export function toPredictedMoney(amount: PredictedMoney, context: MoneyContext): string {
  const likely = toMoney(amount.likely, context.currency, context.locale, 'nearest');
  const range = toMoneyRange(amount, context);
  return likely === range ? likely : `${likely} (${range})`;
}
