import type { ComparedKind } from '../../shared/comparison/comparedKinds';
import type { JoinedResults } from '../results/joinedResults';
import type { ModelUsage } from '../results/resultUsage';
import type { Measure } from './verdict/measure';

export interface ComparedResults extends JoinedResults {
  /** What the requests said when they were sent: `requests.hash` and `lines.tsv` of each submission; without them only ids tell pairs. */
  readonly sent?: readonly { readonly hashesPath: string; readonly linesPath: string }[];
}

export interface CompareSource {
  readonly before: ComparedResults;
  readonly after: ComparedResults;
  /** What both are judged by, and which of them has the ids that it names. */
  readonly expectations?: { readonly path: string; readonly idsOf: 'before' | 'after' };
}

export interface Comparison {
  /** By what pairs were found: their ids, what they asked when no id is in both, or not at all: then all is `lost` and `added`. */
  readonly pairedBy: 'id' | 'request' | 'nothing';
  readonly counts: Readonly<Record<ComparedKind, number>>;
  /**
   * All pairs by kind, then in the order of the files: places in `comparedKinds`, rows of both joined files, -1 where there is none, and
   * what each is by what is expected of it (see `expectationMarks.ts`). In shared memory.
   */
  readonly kinds: Uint8Array;
  readonly beforeRows: Int32Array;
  readonly afterRows: Int32Array;
  readonly beforeMarks: Uint8Array;
  readonly afterMarks: Uint8Array;
  /** What the runs were compared by, with the verdict of each: the one that matters most first. */
  readonly measures: readonly Measure[];
  /** Lines of the file of expectations that cannot be used. */
  readonly expectationProblems: number;
  /** Token usage of the answers to requests that are in both runs. */
  readonly usage: readonly [before: readonly ModelUsage[], after: readonly ModelUsage[]];
}
