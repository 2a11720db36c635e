import { studentQuantile } from '../comparing/verdict/distributions';
import type { TokenRange } from '../survey/fileSurvey';

/** Tokens of a request: the estimate from its text, and the count of the service. */
export interface SizedTokens {
  readonly text: number;
  readonly tokens: number;
}

/** Requests of one model and of similar size. `text` is the sum of the tokens estimated from their texts. */
export interface Stratum {
  readonly requests: number;
  readonly text: number;
  readonly counted: readonly SizedTokens[];
}

export interface PastOutputs {
  readonly answers: number;
  readonly mean: number;
  /** Output tokens of each answer, or of a sample. Negative if `max_tokens` cut the answer short after that many tokens. */
  readonly values: Float64Array;
}

/** Quantile of the upper end of a 95% interval. */
const upperTail = 0.975;
/** Degrees of freedom that the pooled spread of all strata contributes to the spread of each stratum. */
const pooledFreedom = 6;
/** Assumed relative spread of a stratum without counted requests. Also used for all strata if none has two counted requests. */
const unknownSpread = 0.3;
/** Maximum difference between a count and the billed tokens, per request. */
const countError = 1;

/**
 * Estimates the tokens of all requests from the counted ones, by the ratio of counted to estimated tokens in each stratum. The 95% interval
 * comes from the residuals in the strata, with a correction for the counted share (Cochran, "Sampling Techniques", 1977, chapter 6). Strata
 * without a counted request use the ratio of all counted requests. Returns `undefined` if nothing was counted.
 */
export function estimateByRatio(strata: readonly Stratum[]): TokenRange | undefined {
  const all = strata.flatMap(({ counted }) => counted);
  const overall = ratioOf(all);
  if (overall === undefined) {
    return undefined;
  }
  const spreads = strata.map(spreadOf);
  const freedom = spreads.reduce((sum, spread) => sum + spread.freedom, 0);
  const pooled = freedom === 0 ? unknownSpread ** 2 : spreads.reduce((sum, { square, freedom: own }) => sum + square * own, 0) / freedom;
  let likely = 0;
  let variance = 0;
  let requests = 0;
  for (const [at, stratum] of strata.entries()) {
    const count = stratum.counted.length;
    const tokens = stratum.text * (ratioOf(stratum.counted) ?? overall);
    const own = spreads[at] ?? noSpread;
    const square = count === 0 ? unknownSpread ** 2 : (own.square * own.freedom + pooled * pooledFreedom) / (own.freedom + pooledFreedom);
    likely += tokens;
    variance += ((1 - count / stratum.requests) * tokens ** 2 * square) / Math.max(1, count);
    requests += stratum.requests;
  }
  const half = Math.max(Math.sqrt(variance) * studentQuantile(upperTail, Math.max(1, freedom)), requests * countError);
  return { low: Math.max(0, likely - half), likely, high: likely + half };
}

/** Square of the relative standard deviation of residuals, and its degrees of freedom. */
interface Spread {
  readonly square: number;
  readonly freedom: number;
}

const noSpread: Spread = { square: 0, freedom: 0 };

function spreadOf({ counted }: Stratum): Spread {
  const ratio = ratioOf(counted);
  if (ratio === undefined || counted.length < 2) {
    return noSpread;
  }
  const squares = counted.reduce((sum, { text, tokens }) => sum + (tokens - ratio * text) ** 2, 0);
  const freedom = counted.length - 1;
  return { square: squares / freedom / mean(counted.map(({ tokens }) => tokens)) ** 2, freedom };
}

function ratioOf(counted: readonly SizedTokens[]): number | undefined {
  const text = counted.reduce((sum, one) => sum + one.text, 0);
  const tokens = counted.reduce((sum, one) => sum + one.tokens, 0);
  return text > 0 && tokens > 0 ? tokens / text : undefined;
}

/** Prior for the spread between runs: the standard deviation of the logarithm, and its weight as a number of runs. */
export interface SpreadPrior {
  readonly spread: number;
  readonly runs: number;
}

/**
 * Predicts the tokens of requests from the ratio of tokens to text in finished runs, with a 95% interval for one more run. With few runs,
 * the width of the interval depends mostly on `prior`. With many runs, it depends on their spread. Returns `undefined` without runs.
 */
export function predictByRatio(past: readonly SizedTokens[], text: number, prior: SpreadPrior): TokenRange | undefined {
  const logs = past.flatMap(one => (one.text > 0 && one.tokens > 0 ? [Math.log(one.tokens / one.text)] : []));
  if (logs.length === 0) {
    return undefined;
  }
  const center = mean(logs);
  const freedom = prior.runs + logs.length - 1;
  const squares = prior.runs * prior.spread ** 2 + logs.reduce((sum, log) => sum + (log - center) ** 2, 0);
  const half = studentQuantile(upperTail, freedom) * Math.sqrt((squares / freedom) * (1 + 1 / logs.length));
  const likely = text * Math.exp(center);
  return { low: likely * Math.exp(-half), likely, high: likely * Math.exp(half) };
}

/** Requests whose output is predicted. `most` is the sum of their `max_tokens`. */
export interface OutputQuestion {
  readonly requests: number;
  readonly most: number;
}

/**
 * Predicts the total output of requests from answers in earlier runs, with an interval that covers at least nine of ten runs. Its width
 * depends on the spread between runs and on the spread between answers. If there are few runs, `prior` mostly determines the spread between
 * runs. For the upper end, answers that were cut short count as the new `max_tokens`. Returns `undefined` for fewer than two answers.
 */
export function predictOutput(
  past: readonly PastOutputs[],
  { requests, most }: OutputQuestion,
  prior: SpreadPrior,
): TokenRange | undefined {
  const answers = past.reduce((sum, run) => sum + run.answers, 0);
  const values = past.flatMap(run => Array.from(run.values, value => ({ value, weight: run.answers / run.values.length })));
  if (values.length < 2 || requests === 0 || most === 0) {
    return undefined;
  }
  const cap = most / requests;
  const weighted = (of: (value: number) => number) => values.reduce((sum, { value, weight }) => sum + weight * of(value), 0) / answers;
  const between = spreadBetween(past, prior);
  const quantile = studentQuantile(upperTail, values.length - 1);
  /** Returns the mean number of tokens, and half the width of the interval on a logarithmic scale. */
  const totalOf = (tokens: (value: number) => number) => {
    const center = weighted(tokens);
    const variance = weighted(value => (tokens(value) - center) ** 2) / Math.max(1e-9, center) ** 2;
    return { center, half: quantile * Math.sqrt(between ** 2 + variance * (1 / values.length + 1 / requests)) };
  };
  const least = totalOf(value => Math.min(Math.abs(value), cap));
  const greatest = totalOf(value => (value < 0 ? cap : Math.min(value, cap)));
  // The mean of each run is exact. The sampled values only show how much of the mean `max_tokens` cuts off.
  const exact = past.reduce((sum, run) => sum + run.answers * run.mean, 0) / answers;
  const scale = (requests * exact) / Math.max(1e-9, weighted(Math.abs));
  const likely = Math.min(most, scale * least.center);
  return {
    low: Math.min(likely, scale * least.center * Math.exp(-least.half)),
    likely,
    high: Math.min(most, Math.max(likely, scale * greatest.center * Math.exp(greatest.half))),
  };
}

/** Returns the standard deviation of the logarithm of the runs' means, without the part that is due to the number of answers. */
function spreadBetween(past: readonly PastOutputs[], prior: SpreadPrior): number {
  const runs = past.filter(run => run.mean > 0 && run.answers > 1);
  const center = mean(runs.map(run => Math.log(run.mean)));
  const squares = runs.map(run => {
    const own = mean(Array.from(run.values, Math.abs));
    const variance = mean(Array.from(run.values, value => (Math.abs(value) - own) ** 2));
    return Math.max(0, (Math.log(run.mean) - center) ** 2 - variance / (own ** 2 * run.answers));
  });
  const sum = runs.length < 2 ? 0 : squares.reduce((all, square) => all + square, 0);
  return Math.sqrt((prior.runs * prior.spread ** 2 + sum) / (prior.runs + Math.max(0, runs.length - 1)));
}

function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < values.length; at++) {
    sum += values[at] as number;
  }
  return values.length === 0 ? 0 : sum / values.length;
}
