import { logGamma } from './distributions';

/**
 * The two-sided p-value of McNemar's exact conditional test: of the pairs that differ, `worse` went one way and `better` the other, and
 * without any difference each way is as likely (McNemar 1947; binomial of 1/2). Twice the smaller tail, at most 1. Not the mid-p, which
 * gives more power and can be wrong more often than it says.
 */
export function mcnemarTest(worse: number, better: number): number {
  const differing = worse + better;
  const fewer = Math.min(worse, better);
  if (2 * fewer >= differing - 1) {
    return 1;
  }
  // The tail from its largest term down: each next one is a known share of the one before.
  const largest = logGamma(differing + 1) - logGamma(fewer + 1) - logGamma(differing - fewer + 1) - differing * Math.LN2;
  let sum = 1;
  let share = 1;
  for (let at = fewer; at > 0 && share > sum * 1e-17; at--) {
    share *= at / (differing - at + 1);
    sum += share;
  }
  return Math.min(1, 2 * Math.exp(largest) * sum);
}
