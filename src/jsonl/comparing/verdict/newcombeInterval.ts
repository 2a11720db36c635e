import { normalQuantile } from './distributions';
import { countPairs, type Interval, type PairedTable } from './pairedTable';

/**
 * Returns the confidence interval for the difference of two paired proportions, after minus before, or `undefined` without pairs. Uses
 * Newcombe's method 10: combines the Wilson score intervals of both by their squares, with their correlation corrected for continuity. (R.
 * G. Newcombe, "Improved confidence intervals for the difference between binomial proportions based on paired data", Statistics in Medicine
 * 17, 1998, 2635-2650.)
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
