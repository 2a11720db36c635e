// Milliseconds.
const least = 5_000;
const most = 9 * 60_000;
const share = 0.15;

/**
 * How late a session of a schedule may start at most after its time: 15 % of the interval to the next, at least 5 seconds and at most
 * 9 minutes (the vendor's documents; API facts, section 14). An interval that is not known counts as long.
 */
export function longestDelay(interval: number | undefined): number {
  return interval === undefined ? most : Math.min(Math.max(interval * share, least), most);
}
