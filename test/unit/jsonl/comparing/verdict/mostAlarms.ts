/** The largest number of false alarms that chance gives a test of this alpha, 4 standard deviations above what is expected. */
export function mostAlarms(trials: number, alpha: number): number {
  return trials * alpha + 4 * Math.sqrt(trials * alpha * (1 - alpha));
}
