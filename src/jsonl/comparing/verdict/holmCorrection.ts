/**
 * P-values corrected for being several, in their order: the smallest times their number, the next times one less, and so on, none below the
 * one before, at most 1 (S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979,
 * 65-70). At most alpha of all families that hold no difference have one below alpha, however they depend on each other.
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
