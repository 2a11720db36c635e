/** What became of requests that both runs were judged by: numbers of pairs. */
export interface PairedTable {
  readonly bothPass: number;
  /** Passed before, not after. */
  readonly worse: number;
  /** Passed after, not before. */
  readonly better: number;
  readonly bothFail: number;
}

/** A difference of the second run from the first, with its interval. */
export interface Interval {
  readonly difference: number;
  readonly low: number;
  readonly high: number;
}

export function countPairs({ bothPass, worse, better, bothFail }: PairedTable): number {
  return bothPass + worse + better + bothFail;
}
