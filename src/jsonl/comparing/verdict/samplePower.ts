import { normalQuantile } from './distributions';

export const alpha = 0.05;
/** Probability of detecting a difference of the given size. */
const power = 0.8;

/** Properties of a question that determine the required number of pairs. */
export interface PowerQuestion {
  /** Share of pairs that differ, from 0 to 1, or the standard deviation of differences. */
  readonly spread: number;
  readonly kind: 'shares' | 'numbers';
  /** Number of tests corrected together. Alpha is divided between them. */
  readonly tests?: number;
}

/**
 * Returns the number of pairs that show a difference with a power of 80 % at a two-sided alpha of 5 %, or infinity for no difference. For
 * shares: R. J. Connor, "Sample size for testing differences in proportions for the paired-sample design", Biometrics 43, 1987, 207-211.
 * For numbers: the formula of the paired z-test.
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
  // The share of pairs that differ is at least as large as the difference.
  const differing = Math.max(spread, size);
  return Math.ceil(((zAlpha * Math.sqrt(differing) + zPower * Math.sqrt(differing - size * size)) / size) ** 2);
}
