const isLong = process.env.TEST_LONG === 'yes';

/** Returns the number of cases for a test: `full` in the nightly run, otherwise `few`. */
export function runs(full: number, few: number = Math.max(20, Math.ceil(full / 30))): number {
  return isLong ? full : Math.min(full, few);
}

/** Returns all cases in the nightly run, otherwise `few` of them, spread evenly, including the first and the last. */
export function someOf<T>(cases: readonly T[], few: number): readonly T[] {
  const count = runs(cases.length, Math.max(2, few));
  const at = new Set(Array.from({ length: count }, (_, index) => Math.round((index * (cases.length - 1)) / Math.max(1, count - 1))));
  return cases.filter((_, index) => at.has(index));
}
