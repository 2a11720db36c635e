/** A share between two bounds, each of 0 to 1. */
export interface ShareRange {
  readonly low: number;
  readonly high: number;
}

/** Standard deviations around the mean that hold 95 % of what chance brings. */
export const z95 = 1.959964;

/** What `hits` of `tries` say about the share behind them: Wilson's interval at 95 %. Of no tries nothing is known. */
export function wilson(hits: number, tries: number): ShareRange {
  if (tries === 0) {
    return { low: 0, high: 1 };
  }
  const share = hits / tries;
  const z2 = z95 * z95;
  const middle = (share + z2 / (2 * tries)) / (1 + z2 / tries);
  const half = (z95 / (1 + z2 / tries)) * Math.sqrt((share * (1 - share)) / tries + z2 / (4 * tries * tries));
  // Exact at the ends, where rounding would leave a trace.
  return { low: hits === 0 ? 0 : Math.max(0, middle - half), high: hits === tries ? 1 : Math.min(1, middle + half) };
}

/** Mean of numbers, and how far off it may be at 95 %; without a spread to judge by nothing is off. */
export class Mean {
  private count = 0;
  private sum = 0;
  private squares = 0;

  add(value: number): void {
    this.count++;
    this.sum += value;
    this.squares += value * value;
  }

  get size(): number {
    return this.count;
  }

  /** What `times` of such numbers come to. */
  times(times: number): { readonly low: number; readonly likely: number; readonly high: number } {
    const mean = this.count === 0 ? 0 : this.sum / this.count;
    const variance = this.count < 2 ? 0 : Math.max(0, (this.squares - this.count * mean * mean) / (this.count - 1));
    const off = z95 * Math.sqrt(variance / Math.max(1, this.count));
    return { low: Math.max(0, mean - off) * times, likely: mean * times, high: (mean + off) * times };
  }
}
