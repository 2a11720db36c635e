import type { ComparedKind } from '../../shared/comparison/comparisonProtocol';
import type { JoinedResults } from '../results/joinedResults';
import type { ModelUsage } from '../results/resultUsage';
import type { Measure } from './verdict/measure';

export interface ComparedResults extends JoinedResults {
  /**
   * Paths of `requests.hash` and `lines.tsv` of each submission, for pairing requests by content. Without them, requests are only paired by
   * id.
   */
  readonly sent?: readonly { readonly hashesPath: string; readonly linesPath: string }[];
}

export interface CompareSource {
  readonly before: ComparedResults;
  readonly after: ComparedResults;
  /** File with the expectations for both runs, and the run that its ids refer to. */
  readonly expectations?: { readonly path: string; readonly idsOf: 'before' | 'after' };
}

export interface Comparison {
  /** Criterion of the pairs: id, content if no id is in both runs, or `nothing`. Without pairs, everything is `lost` and `added`. */
  readonly pairedBy: 'id' | 'request' | 'nothing';
  readonly counts: Readonly<Record<ComparedKind, number>>;
  /**
   * All pairs by kind, then in file order. Has the index in `comparedKinds`, the rows in both joined files (-1 if there is none), and the
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
