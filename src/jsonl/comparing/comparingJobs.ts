import type { ComparedKind } from '../../shared/comparison/comparisonProtocol';
import type { JoinedResults } from '../results/joinedResults';
import type { ModelUsage } from '../results/resultUsage';
import type { Measure } from './verdict/measure';

export interface CompareSource {
  readonly before: JoinedResults;
  readonly after: JoinedResults;
  /** Path of the expectations for both runs, if any. */
  readonly expectationsPath?: string;
}

export interface Comparison {
  readonly counts: Readonly<Record<ComparedKind, number>>;
  /**
   * All pairs by kind, then in file order: indices in `comparedKinds`, rows of both joined files (-1 if there is none), and expectation
   * marks of both answers (see `expectationMarks.ts`). In shared memory.
   */
  readonly kinds: Uint8Array;
  readonly beforeRows: Int32Array;
  readonly afterRows: Int32Array;
  readonly beforeMarks: Uint8Array;
  readonly afterMarks: Uint8Array;
  readonly measures: readonly Measure[];
  /** Number of invalid lines in the expectations file. */
  readonly expectationProblems: number;
  /** Token usage of the answers to requests in both runs. */
  readonly usage: readonly [before: readonly ModelUsage[], after: readonly ModelUsage[]];
}
