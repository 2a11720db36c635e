import { logGamma, normalQuantile, studentCdf, studentQuantile } from './distributions';
import { countPairs, type Interval, type PairedTable } from './measure';

/**
 * Returns the confidence interval for the difference of two paired proportions, after minus before, or `undefined` without pairs. Uses
 * Newcombe's method 10: combines the Wilson score intervals of both proportions by their squares, with their correlation corrected for
 * continuity. (R. G. Newcombe, "Improved confidence intervals for the difference between binomial proportions based on paired data",
 * Statistics in Medicine 17, 1998, 2635-2650.)
 */
export function newcombeInterval(table: PairedTable, confidence = 0.95): Interval | undefined {
  const { bothPass, worse, better } = table;
  const count = countPairs(table);
  if (count === 0) {
    return undefined;
  }
  const z = normalQuantile(1 - (1 - confidence) / 2);
  const before = (bothPass + worse) / count;
  const after = (bothPass + better) / count;
  const [beforeLow, beforeHigh] = wilson(bothPass + worse, count, z);
  const [afterLow, afterHigh] = wilson(bothPass + better, count, z);
  const phi = correlation(table);
  const reach = (up: number, down: number) => Math.sqrt(Math.max(0, up * up - 2 * phi * up * down + down * down));
  const difference = (better - worse) / count;
  return {
    difference,
    low: Math.max(-1, difference - reach(after - afterLow, beforeHigh - before)),
    high: Math.min(1, difference + reach(afterHigh - after, before - beforeLow)),
  };
}

function correlation({ bothPass, worse, better, bothFail }: PairedTable): number {
  const margins = (bothPass + worse) * (better + bothFail) * (bothPass + better) * (worse + bothFail);
  if (margins === 0) {
    return 0;
  }
  const cross = bothPass * bothFail - worse * better;
  const half = (bothPass + worse + better + bothFail) / 2;
  return (cross > 0 ? Math.max(cross - half, 0) : cross) / Math.sqrt(margins);
}

/** Returns Wilson's score interval (1927) of a proportion. */
export function wilson(passed: number, count: number, z: number): readonly [low: number, high: number] {
  const share = passed / count;
  const middle = share + (z * z) / (2 * count);
  const reach = z * Math.sqrt((share * (1 - share)) / count + (z * z) / (4 * count * count));
  const width = 1 + (z * z) / count;
  return [passed === 0 ? 0 : (middle - reach) / width, passed === count ? 1 : (middle + reach) / width];
}

/**
 * Returns the mean of paired differences with its interval and p-value by Student's paired t-test, or `undefined` for fewer than 2
 * differences. The p-value is at least the smallest that a sign test can return, because a few equal differences have a deviation of 0.
 */
export function pairedTTest(
  differences: Float64Array,
  confidence = 0.95,
): { readonly interval: Interval; readonly p: number; readonly deviation: number } | undefined {
  const count = differences.length;
  if (count < 2) {
    return undefined;
  }
  const mean = differences.reduce((sum, value) => sum + value, 0) / count;
  const deviation = Math.sqrt(differences.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1));
  const error = deviation / Math.sqrt(count);
  const reach = error * studentQuantile(1 - (1 - confidence) / 2, count - 1);
  const p = mean === 0 ? 1 : Math.max(2 * studentCdf(-Math.abs(mean / error), count - 1), 2 ** (1 - count));
  return { interval: { difference: mean, low: mean - reach, high: mean + reach }, p, deviation };
}

/**
 * Corrects p-values for multiple tests and returns them in the given order. The smallest p-value is multiplied by the number of tests, the
 * next one by that number minus 1, and so on. No corrected value is below the previous one or above 1. See S. Holm, "A simple sequentially
 * rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979, 65-70. If no test has a real difference, some value is
 * below alpha with a probability of at most alpha. The tests may depend on each other.
 */
export function holmCorrection(values: readonly number[]): readonly number[] {
  const order = values.map((_, at) => at).sort((a, b) => (values[a] as number) - (values[b] as number));
  const corrected = new Array<number>(values.length);
  let least = 0;
  for (const [rank, at] of order.entries()) {
    least = Math.max(least, Math.min(1, (values[at] as number) * (values.length - rank)));
    corrected[at] = least;
  }
  return corrected;
}

/**
 * Returns the two-sided p-value of McNemar's exact conditional test (McNemar 1947). `worse` and `better` are the numbers of pairs that
 * changed in each direction. Without a real difference, both directions are equally likely (binomial, 1/2). The result is twice the smaller
 * tail, at most 1. Doesn't use the mid-p value, which has more power but can exceed the nominal error rate.
 */
export function mcnemarTest(worse: number, better: number): number {
  const differing = worse + better;
  const fewer = Math.min(worse, better);
  if (2 * fewer >= differing - 1) {
    return 1;
  }
  // Sums the tail from its largest term down. Each term follows from the previous one by a known ratio.
  const largest = logGamma(differing + 1) - logGamma(fewer + 1) - logGamma(differing - fewer + 1) - differing * Math.LN2;
  let sum = 1;
  let share = 1;
  for (let at = fewer; at > 0 && share > sum * 1e-17; at--) {
    share *= at / (differing - at + 1);
    sum += share;
  }
  return Math.min(1, 2 * Math.exp(largest) * sum);
}

export const alpha = 0.05;
/** Probability with which a real difference is found. */
const power = 0.8;

/** Properties of a question that determine the required number of pairs. */
export interface PowerQuestion {
  /** Share of pairs that differ, from 0 to 1, or the standard deviation of differences. */
  readonly spread: number;
  readonly kind: 'shares' | 'numbers';
  /** Number of tests corrected together. Alpha is divided between these tests. */
  readonly tests?: number;
}

/**
 * Returns the number of pairs needed to find a difference with a power of 80% at a two-sided alpha of 5%. Returns infinity for no
 * difference. For shares: R. J. Connor, "Sample size for testing differences in proportions for the paired-sample design", Biometrics 43,
 * 1987, 207-211. For numbers: the formula of the paired z-test.
 */
export function pairsNeeded(difference: number, { spread, kind, tests = 1 }: PowerQuestion): number {
  const size = Math.abs(difference);
  if (size === 0) {
    return Number.POSITIVE_INFINITY;
  }
  const zAlpha = normalQuantile(1 - alpha / tests / 2);
  const zPower = normalQuantile(power);
  if (kind === 'numbers') {
    return Math.ceil((((zAlpha + zPower) * spread) / size) ** 2);
  }
  // The share of pairs that differ can't be less than the difference.
  const differing = Math.max(spread, size);
  return Math.ceil(((zAlpha * Math.sqrt(differing) + zPower * Math.sqrt(differing - size * size)) / size) ** 2);
}
