/**
 * Corrects p-values for multiple tests and returns them in the given order. The smallest is multiplied by their number, the next by one
 * less, and so on. None is below the one before or above 1. See S. Holm, "A simple sequentially rejective multiple test procedure",
 * Scandinavian Journal of Statistics 6, 1979, 65-70. If no test has a real difference, the probability that any is below alpha is at most
 * alpha, however the tests depend on each other.
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
