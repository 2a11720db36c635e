import type { JoinedResults } from '../results/joinedResults';

/** Compares the results of two runs. */
export interface ComparingJobs {
  compareResults: { input: CompareSource; output: Comparison };
}

export interface ComparedResults extends JoinedResults {
  /** What the requests said when they were sent: `requests.hash` and `lines.tsv` of each submission; without them only ids tell pairs. */
  readonly sent?: readonly { readonly hashesPath: string; readonly linesPath: string }[];
}

export interface CompareSource {
  readonly before: ComparedResults;
  readonly after: ComparedResults;
}

/** What became of one request from the one run to the other, the worst first. */
export const comparedKinds = ['regressed', 'lost', 'changed', 'fixed', 'added', 'same'] as const;
export type ComparedKind = (typeof comparedKinds)[number];

export interface Comparison {
  /** By what pairs were found: their ids, what they asked when no id is in both, or not at all: then all is `lost` and `added`. */
  readonly pairedBy: 'id' | 'request' | 'nothing';
  readonly counts: Readonly<Record<ComparedKind, number>>;
  /**
   * Pairs that are not `same`, the worst first, then in the order of the files: places in `comparedKinds`, and rows of both joined
   * files, -1 where there is none. In shared memory.
   */
  readonly kinds: Uint8Array;
  readonly beforeRows: Int32Array;
  readonly afterRows: Int32Array;
  /** Of requests that are in both. */
  readonly inputTokens: readonly [before: number, after: number];
  readonly outputTokens: readonly [before: number, after: number];
}
