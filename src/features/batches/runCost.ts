import { aliasOf, cachePrices, findPrice, type Prices, toTokenPrices } from '../../common/readPrices';
import type { Translate } from '../../common/text/translate';
import type { ModelPrice } from '../../contributions';
import type { ResultsReport } from '../../jsonl/results/resultsReport';
import type { ModelUsage } from '../../jsonl/results/resultUsage';
import { costOfTokens } from '../../jsonl/results/tokenCost';
import type { ModelSurvey, SharedPrefix, TokenRange } from '../../jsonl/survey/fileSurvey';
import { numberFormat, toNumber } from '../../shared/formats';
import { join, toLabel } from '../../shared/text';
import { type CacheMix, type ModelEstimate, type Run, resultsOf, type Submission } from '../ledger';

/** An amount of money between two bounds, in whole units of the currency. */
export interface MoneyRange {
  readonly low: number;
  readonly high: number;
}

const million = 1_000_000;

/**
 * Returns the cost range of the requests of one model. The lower bound assumes the minimum input and no output, and that everything up to
 * the cache markers is read from the cache. The upper bound assumes the maximum input and output, and that everything up to the markers is
 * written to the cache.
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
  // One request writes the prefix to the cache, unless a marked request already does.
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

/** Returns the sum of predictions. */
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

/** Cost of answers. Exact if the bounds are equal and nothing is missing. */
export interface Cost extends MoneyRange {
  readonly missing: CostGaps;
  /** Dated models that are priced as their alias. */
  readonly byAlias: readonly { readonly model: string; readonly alias: string }[];
}

/** Reasons why a cost is not exact. */
interface CostGaps {
  /** Models without a price. The cost does not include them. */
  readonly prices: readonly string[];
  /** Number of answers without token counts. The cost does not include them. */
  readonly answers: number;
  /** Tokens whose cache time is unknown. They are priced between the lower and the higher cache price. */
  readonly cacheTime: number;
}

/** Returns the cost of a run's answers. Returns `undefined` if there are no results or no model has a price. */
export function actualCost(run: Run, prices: Prices): Cost | undefined {
  return costOfReport(resultsOf(run)?.report, modelsOf(run), prices);
}

/** Returns the cost of a report's answers. `asked` are the requested models. */
export function costOfReport(report: ResultsReport | undefined, asked: readonly string[], prices: Prices): Cost | undefined {
  return report?.usage && costOfUsage(report.usage, prices, asked);
}

/**
 * Returns the cost of answers, or `undefined` if no model has a price. An answer without a model counts for the requested model if `asked`
 * has only one model.
 */
export function costOfUsage(usage: readonly ModelUsage[], prices: Prices, asked: readonly string[] = []): Cost | undefined {
  const [only = '', ...others] = asked;
  const priced = usage.map(one => {
    const model = one.model === '' && others.length === 0 ? only : one.model;
    return { one: { ...one, model }, found: findPrice(prices, model) };
  });
  const costs = priced.flatMap(({ one, found }) => (found === undefined ? [] : [costOfTokens(one, toTokenPrices(found.price))]));
  if (costs.length === 0 && usage.length > 0) {
    return undefined;
  }
  return {
    ...addMoney(costs),
    missing: {
      prices: priced.flatMap(({ one, found }) => (found === undefined ? [one.model] : [])),
      answers: usage.reduce((sum, { uncounted }) => sum + uncounted, 0),
      cacheTime: usage.reduce((sum, one) => sum + one.cacheWriteTokens - one.cacheWrite5mTokens - one.cacheWrite1hTokens, 0),
    },
    byAlias: priced.flatMap(({ one, found }) =>
      found === undefined || found.id === one.model ? [] : [{ model: one.model, alias: found.id }],
    ),
  };
}

/** Returns whether a cost is one amount with nothing missing. */
export function isExact({ low, high, missing }: Cost): boolean {
  return low === high && missing.prices.length === 0 && missing.answers === 0;
}

/** Describes a cost: one amount, two bounds or a lower bound, with notes about missing amounts. */
export function describeCost(cost: Cost, context: MoneyContext): string {
  const { translate: t, locale, currency } = context;
  const { missing } = cost;
  const isOpen = missing.prices.length > 0 || missing.answers > 0;
  const amount = isOpen ? t('at least {0}', toMoney(cost.low, currency, locale, 'down')) : toMoneyRange(cost, context);
  const gaps = describeGaps(missing, context);
  return gaps === '' ? amount : `${amount} (${gaps})`;
}

function describeGaps({ prices, answers, cacheTime }: CostGaps, { translate: t, locale }: MoneyContext): string {
  const names = prices.map(model => (model === '' ? t('answers without a model') : toLabel(model, 60)));
  const uncounted = answers === 1 ? t('1 answer without token counts') : t('{0} answers without token counts', toNumber(answers, locale));
  return join(
    ', ',
    names.length === 0 ? '' : t('no price for {0}', names.join(', ')),
    answers === 0 ? '' : uncounted,
    cacheTime === 0 ? '' : t('cache time unknown for {0} tokens', toNumber(cacheTime, locale)),
  );
}

/** Describes which models are priced as their alias. Empty if no model is priced as its alias. */
export function describeAliases(byAlias: Cost['byAlias'], { translate: t }: Pick<MoneyContext, 'translate'>): string {
  return byAlias.map(({ model, alias }) => t('{0} is priced as {1}.', toLabel(model, 60), toLabel(alias, 60))).join(' ');
}

/** Estimated cost. A prediction if there are past answers, otherwise a range. */
export type EstimatedCost = MoneyRange | PredictedMoney;

/** Returns the estimated cost of a run at today's prices, or `undefined` if the run has no estimate or a model has no price. */
export function estimatedCost({ lead: { estimate = [] } }: Pick<Run, 'lead'>, prices: Prices): EstimatedCost | undefined {
  return costOfEstimate(estimate, prices);
}

/** Returns the cost of an estimate by model, or `undefined` if the estimate is empty or a model has no price. */
export function costOfEstimate(estimate: readonly ModelEstimate[], prices: Prices): EstimatedCost | undefined {
  const priced = estimate.flatMap(one => {
    const price = findPrice(prices, one.model)?.price;
    return price === undefined ? [] : [{ ...one, price }];
  });
  if (priced.length === 0 || priced.length < estimate.length) {
    return undefined;
  }
  const predicted = priced.flatMap(({ inputLow, inputHigh, input, output, cacheMix, price }) =>
    input === undefined || output === undefined
      ? []
      : [predictedCost({ input: { low: inputLow, likely: input, high: inputHigh }, output, cacheMix }, price)],
  );
  if (predicted.length === priced.length) {
    return addPredicted(predicted);
  }
  const bounds = priced.map(({ inputLow, inputHigh, price, ...one }) =>
    costOf({ ...one, input: { low: inputLow, likely: inputLow, high: inputHigh } }, price),
  );
  return addMoney(bounds);
}

/** Describes an estimated cost: `$0.05 ($0.04 to $0.06)`, or its bounds. */
export function describeEstimate(cost: EstimatedCost, context: MoneyContext): string {
  return 'likely' in cost ? toPredictedMoney(cost, context) : toMoneyRange(cost, context);
}

/** Returns the models requested in all parts of a run. */
export function modelsOf({ submissions }: Run): readonly string[] {
  return [...new Set(submissions.flatMap(({ models = [] }) => models.map(([model]) => model)))];
}

/**
 * Counts the requests of submissions by model ID without its date. `nameOf` returns the key for the model of an answer. An answer without a
 * model gets the key of the only requested model.
 */
export function requestedModels(submissions: readonly Submission[]) {
  const requests = new Map<string, number>();
  for (const { models = [], requestCount } of submissions) {
    for (const [model, count] of models.length === 0 ? [['', requestCount] as const] : models) {
      requests.set(aliasOf(model), (requests.get(aliasOf(model)) ?? 0) + count);
    }
  }
  const [only = '', ...others] = requests.keys();
  return { requests, nameOf: (model: string) => aliasOf(model === '' && others.length === 0 ? only : model) };
}
