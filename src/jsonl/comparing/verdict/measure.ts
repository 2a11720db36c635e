import type { MarkedCheck } from '../expectationMarks';
import type { Interval, PairedTable } from './pairedTable';

/** Why a request says nothing of a difference: there is no result, the service failed it or never came to it, nothing usable is expected of it, or its answer holds no such number. */
export type LeftWhy = 'missing' | 'failed' | 'ended' | 'notExpected' | 'unusable' | 'noNumber';
export type LeftSide = 'before' | 'after' | 'both';

/** Requests that are not compared. */
export interface LeftOut {
  readonly why: LeftWhy;
  readonly side: LeftSide;
  readonly count: number;
}

/** What was counted of one question. Every request of both runs is either compared or left out, and it is known why. */
export interface CountedMeasure {
  /** `answered`: whole answers; `expected`: all that is expected; one kind of check; a number in the answers. */
  readonly about: 'answered' | 'expected' | MarkedCheck | 'number';
  /** Of a number: the field of JSON answers that holds it, empty where the whole answer is one. */
  readonly field?: string;
  readonly compared: number;
  readonly left: readonly LeftOut[];
  /** Shares that pass, or means. */
  readonly values: readonly [before: number, after: number];
  readonly table?: PairedTable;
  /** Of numbers: after less before. */
  readonly differences?: Float64Array;
}

/** The answer to one question of a comparison. */
export interface Measure extends Omit<CountedMeasure, 'differences'> {
  /** After less before, with its interval: those of all `tests` of its family together hold the true differences in 95 of 100 cases; undefined for fewer than 1 pair, of numbers fewer than 2. */
  readonly interval: Interval | undefined;
  /** Corrected by Holm for the `tests` of its family. */
  readonly p: number;
  readonly tests: number;
  /** `unclear` where the runs may as well be the same. */
  readonly verdict: 'better' | 'worse' | 'higher' | 'lower' | 'unclear';
  /** How many more pairs would show a difference of the size that was seen, about; undefined for none or more than anybody sends. */
  readonly more: number | undefined;
}
