import { defined } from '../../defined';
import { type Fields, greater, numberOf, objectOf, textOf } from '../eventFields';
import type { RequestUsage, TokenBuckets } from '../rows/rows';

/** Amount in cents. May be a fraction. */
export interface Money {
  readonly cents: number;
  readonly currency: string;
}

/** Kinds of token counts, without and with the cache. */
export const tokenBuckets = ['input', 'output', 'cacheRead', 'cacheWrite'] as const satisfies readonly (keyof TokenBuckets)[];

export const noTokens: TokenBuckets = { input: undefined, output: undefined, cacheRead: undefined, cacheWrite: undefined };

/**
 * Parses the tokens of a `usage` or `model_usage`, either flat or keyed by model id. Counts of several models are added up. A missing count
 * is `undefined`, never 0. Returns `undefined` if there are no counts.
 */
export function toTokens(value: unknown): TokenBuckets | undefined {
  const [first, ...others] = toTokensByModel(value).map(({ tokens }) => tokens);
  return toBuckets(objectOf(value)) ?? (first && others.reduce(addTokens, first));
}

/** Parses the tokens of a `model_usage` that is a map by model id. Returns an empty list for any other value. */
function toTokensByModel(value: unknown): readonly { readonly model: string; readonly tokens: TokenBuckets }[] {
  const usage = objectOf(value);
  return Object.entries(toBuckets(usage) === undefined ? (usage ?? {}) : {}).flatMap(([model, entry]) => {
    const tokens = toBuckets(objectOf(entry));
    return tokens === undefined ? [] : [{ model, tokens }];
  });
}

/** Returns the tokens in the end event of a model request. Takes buckets missing in `model_usage` from `usage`. */
export function toSpanTokens(event: Fields): TokenBuckets | undefined {
  const byModel = toTokens(event.model_usage);
  const usage = toTokens(event.usage);
  return byModel === undefined || usage === undefined ? (byModel ?? usage) : eachBucket(bucket => byModel[bucket] ?? usage[bucket]);
}

export function toRequestUsage(end: Fields | undefined): RequestUsage {
  const byModel = toTokensByModel(end?.model_usage);
  return defined({ tokens: end && toSpanTokens(end), byModel: byModel.length > 0 ? byModel : undefined, model: textOf(end?.model) });
}

export function eachBucket(countOf: (bucket: keyof TokenBuckets) => number | undefined): TokenBuckets {
  return { input: countOf('input'), output: countOf('output'), cacheRead: countOf('cacheRead'), cacheWrite: countOf('cacheWrite') };
}

/** Adds two counts by bucket. A bucket of only one count is copied. */
export function addTokens(first: TokenBuckets, second: TokenBuckets): TokenBuckets {
  return eachBucket(bucket => {
    const [a, b] = [first[bucket], second[bucket]];
    return a === undefined || b === undefined ? (a ?? b) : a + b;
  });
}

/** Returns the greater of two counts by bucket, for counts that only grow. */
export function laterTokens(first: TokenBuckets, second: TokenBuckets): TokenBuckets {
  return eachBucket(bucket => greater(first[bucket], second[bucket]));
}

/** Returns the sum of all buckets. Missing counts are treated as 0. */
export function sumOfBuckets(tokens: TokenBuckets): number {
  return tokenBuckets.reduce((sum, bucket) => sum + (tokens[bucket] ?? 0), 0);
}

/** Parses `{amount, currency}`. `amount` is cents, as text. */
export function toMoney(value: unknown): Money | undefined {
  const fields = objectOf(value);
  const amount = typeof fields?.amount === 'string' && /^-?\d+(?:\.\d+)?$/.test(fields.amount) ? Number(fields.amount) : undefined;
  return amount === undefined ? undefined : { cents: amount, currency: textOf(fields?.currency) ?? 'USD' };
}

function toBuckets(usage: Fields = {}): TokenBuckets | undefined {
  const written = numberOf(usage.cache_creation_input_tokens) ?? numberOf(usage.cacheCreationInputTokens);
  const tokens: TokenBuckets = {
    input: numberOf(usage.input_tokens) ?? numberOf(usage.inputTokens),
    output: numberOf(usage.output_tokens) ?? numberOf(usage.outputTokens),
    cacheRead: numberOf(usage.cache_read_input_tokens) ?? numberOf(usage.cacheReadInputTokens),
    cacheWrite: written ?? toCacheCreation(usage.cache_creation),
  };
  return tokenBuckets.every(bucket => tokens[bucket] === undefined) ? undefined : tokens;
}

function toCacheCreation(value: unknown): number | undefined {
  const fields = objectOf(value);
  const hour = numberOf(fields?.ephemeral_1h_input_tokens);
  const minutes = numberOf(fields?.ephemeral_5m_input_tokens);
  return hour === undefined && minutes === undefined ? undefined : (hour ?? 0) + (minutes ?? 0);
}
