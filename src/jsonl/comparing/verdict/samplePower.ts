import { normalQuantile } from './distributions';

export const alpha = 0.05;
/** How often a difference of the smallest size that is told of would be found. */
const power = 0.8;

/** What a question of yes or no, or of numbers, asks of the number of pairs. */
export interface PowerQuestion {
  /** Share of pairs that differ, 0 to 1; or the standard deviation of differences. */
  readonly spread: number;
  readonly kind: 'shares' | 'numbers';
  /** Tests that are corrected together: each gets its part of alpha. */
  readonly tests?: number;
}

/**
 * Pairs that show a difference in 80 of 100 runs at an alpha of 5 % (two-sided): for shares by R. J. Connor, "Sample size for testing
 * differences in proportions for the paired-sample design", Biometrics 43, 1987, 207-211; for numbers by the formula of the paired z-test.
 * Infinite for no difference.
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
  // No fewer pairs can differ than the difference says.
  const differing = Math.max(spread, size);
  return Math.ceil(((zAlpha * Math.sqrt(differing) + zPower * Math.sqrt(differing - size * size)) / size) ** 2);
}
