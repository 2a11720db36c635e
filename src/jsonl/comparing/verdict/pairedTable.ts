/** Numbers of pairs by pass and fail in both runs. */
export interface PairedTable {
  readonly bothPass: number;
  /** Passed before, failed after. */
  readonly worse: number;
  /** Failed before, passed after. */
  readonly better: number;
  readonly bothFail: number;
}

/** Difference between the second and the first run, with its interval. */
export interface Interval {
  readonly difference: number;
  readonly low: number;
  readonly high: number;
}

export function countPairs({ bothPass, worse, better, bothFail }: PairedTable): number {
  return bothPass + worse + better + bothFail;
}
