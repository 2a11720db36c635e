import { logGamma } from './distributions';

/**
 * Returns the two-sided p-value of McNemar's exact conditional test (McNemar 1947). Of the pairs that differ, `worse` went one way and
 * `better` the other; without a real difference both are equally likely (binomial, 1/2). The result is twice the smaller tail, at most 1.
 * Doesn't use the mid-p value, which has more power but can exceed its nominal error rate.
 */
export function mcnemarTest(worse: number, better: number): number {
  const differing = worse + better;
  const fewer = Math.min(worse, better);
  if (2 * fewer >= differing - 1) {
    return 1;
  }
  // Sums the tail from its largest term down. The ratio of consecutive terms is known.
  const largest = logGamma(differing + 1) - logGamma(fewer + 1) - logGamma(differing - fewer + 1) - differing * Math.LN2;
  let sum = 1;
  let share = 1;
  for (let at = fewer; at > 0 && share > sum * 1e-17; at--) {
    share *= at / (differing - at + 1);
    sum += share;
  }
  return Math.min(1, 2 * Math.exp(largest) * sum);
}
