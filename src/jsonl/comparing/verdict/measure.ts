import type { MarkedCheck } from '../expectationMarks';

/** Reason to exclude a request. `ended`: before it was processed. `unusable`: invalid expectation. `noNumber`: none in the answer. */
export type LeftWhy = 'missing' | 'failed' | 'ended' | 'notExpected' | 'unusable' | 'noNumber';
export type LeftSide = 'before' | 'after' | 'both';

export interface LeftOut {
  readonly why: LeftWhy;
  readonly side: LeftSide;
  readonly count: number;
}

/** Counts for one question. Each request in either run is compared or excluded for a known reason. */
export interface CountedMeasure {
  /** Subject: `answered` (complete answers), `expected` (all expectations), one kind of check, or a number in the answers. */
  readonly about: 'answered' | 'expected' | MarkedCheck | 'number';
  /** Field of the number in the JSON of answers. Empty if the number is the whole answer. */
  readonly field?: string;
  readonly compared: number;
  readonly left: readonly LeftOut[];
  /** Shares of answers that pass, or means of numbers. */
  readonly values: readonly [before: number, after: number];
  readonly table?: PairedTable;
  /** Differences of the pairs (after minus before). Only set for numbers. */
  readonly differences?: Float64Array;
}

export interface Measure extends Omit<CountedMeasure, 'differences'> {
  /**
   * Difference (after minus before) with its interval. With 95% confidence, all intervals of the family's `tests` contain the true
   * difference. `undefined` without pairs, or for numbers with fewer than 2 pairs.
   */
  readonly interval: Interval | undefined;
  /** P-value, corrected by Holm for all `tests` of the family. */
  readonly p: number;
  readonly tests: number;
  /** `unclear` if the runs may be equal. */
  readonly verdict: 'better' | 'worse' | 'higher' | 'lower' | 'unclear';
  /** Approximate number of additional pairs needed to show the difference. `undefined` if there is none or too many. */
  readonly more: number | undefined;
}

export interface PairedTable {
  readonly bothPass: number;
  /** Number of requests that passed before and failed after. */
  readonly worse: number;
  /** Number of requests that failed before and passed after. */
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
