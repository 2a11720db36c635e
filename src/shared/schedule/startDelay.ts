// Minimum and maximum delay, in milliseconds.
const least = 5_000;
const most = 9 * 60_000;
const share = 0.15;

/**
 * Returns the maximum delay of a scheduled session: 15 % of the interval to the next one, at least 5 seconds and at most 9 minutes. Source:
 * the vendor's documents (API facts, section 14). An unknown interval counts as long.
 */
export function longestDelay(interval: number | undefined): number {
  return interval === undefined ? most : Math.min(Math.max(interval * share, least), most);
}
