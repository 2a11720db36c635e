import { createRandom } from '../../arranging/random';
import { normalCdf, normalQuantile, studentCdf, studentQuantile } from './distributions';
import type { Interval } from './measure';

/**
 * Maximum number of units to draw from, of draws in total, and of resamples. They limit the time to less than a second for any number of
 * pairs.
 */
const maxUnits = 2000;
const maxDraws = 1e7;
const maxResamples = 10_000;

export interface BootstrapOptions {
  readonly seed: string;
  readonly confidence?: number;
  readonly resamples?: number;
  /** Called regularly. Can throw an error to stop. */
  readonly throwIfAborted?: () => void;
}

export interface BootstrapResult extends Interval {
  /** Two-sided p-value for no difference on average. */
  readonly p: number;
  readonly deviation: number;
}

/**
 * Returns the mean of paired differences with its interval and p-value, or `undefined` for fewer than 2 differences. Resamples requests
 * with both of their values (paired bootstrap) and takes percentiles of the means. For few requests the interval is widened to match
 * Student's t (expanded percentile interval: T. C. Hesterberg, "What Teachers Should Know About the Bootstrap", The American Statistician
 * 69, 2015, 371-386). The p-value is the level at which the interval would just touch 0. With more than 2,000 requests, resamples groups of
 * them. The same seed gives the same result on all machines.
 */
export function pairedBootstrap(differences: Float64Array, options: BootstrapOptions): BootstrapResult | undefined {
  const { confidence = 0.95 } = options;
  const count = differences.length;
  if (count < 2) {
    return undefined;
  }
  const mean = differences.reduce((sum, value) => sum + value, 0) / count;
  const deviation = Math.sqrt(differences.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1));
  const means = drawMeans(differences, options);
  const widening = Math.sqrt(count / (count - 1));
  const tail = normalCdf(widening * studentQuantile((1 - confidence) / 2, count - 1));
  return {
    ...{ difference: mean, deviation },
    low: Math.min(mean, percentile(means, tail)),
    high: Math.max(mean, percentile(means, 1 - tail)),
    p: mean === 0 ? 1 : pValue(means, widening, count),
  };
}

function drawMeans(differences: Float64Array, { seed, resamples = maxResamples, throwIfAborted }: BootstrapOptions): Float64Array {
  const count = differences.length;
  const units = Math.min(count, maxUnits);
  const sums = new Float64Array(units);
  // Distributes values in turn, so that groups don't depend on the order of requests. Their sizes differ by at most one.
  differences.forEach((value, at) => {
    sums[at % units] = (sums[at % units] as number) + value;
  });
  const size = Math.floor(count / units);
  const larger = count % units;
  const random = createRandom(seed);
  const means = new Float64Array(Math.min(resamples, Math.floor(maxDraws / units)));
  for (let resample = 0; resample < means.length; resample++) {
    let sum = 0;
    let pairs = 0;
    for (let draw = 0; draw < units; draw++) {
      const unit = random.below(units);
      sum += sums[unit] as number;
      pairs += unit < larger ? size + 1 : size;
    }
    means[resample] = sum / pairs;
    if (resample % 32 === 0) {
      throwIfAborted?.();
    }
  }
  return means.sort();
}

/** Returns the percentile of sorted values for a share, interpolated. */
export function percentile(sorted: Float64Array, share: number): number {
  const at = Math.min(sorted.length - 1, Math.max(0, share * (sorted.length + 1) - 1));
  const low = sorted[Math.floor(at)] as number;
  const high = sorted[Math.ceil(at)] as number;
  return low + (high - low) * (at - Math.floor(at));
}

function pValue(means: Float64Array, widening: number, count: number): number {
  let below = 0;
  let above = 0;
  for (const mean of means) {
    below += mean < 0 ? 1 : mean === 0 ? 0.5 : 0;
    above += mean > 0 ? 1 : mean === 0 ? 0.5 : 0;
  }
  // Even if no resample is beyond 0, the share must not be 0.
  const share = (Math.min(below, above) + 1) / (means.length + 2);
  return Math.min(1, 2 * studentCdf(normalQuantile(share) / widening, count - 1));
}
