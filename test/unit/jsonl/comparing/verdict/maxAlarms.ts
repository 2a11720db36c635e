/** Returns the maximum number of false alarms by chance for a test with this alpha: 4 standard deviations above the expected number. */
export function maxAlarms(trials: number, alpha: number): number {
  return trials * alpha + 4 * Math.sqrt(trials * alpha * (1 - alpha));
}
