import type { JoinedResults } from '../resultsJobs';

/** Compares the results of two runs. */
export interface ComparingJobs {
  compareResults: { input: CompareSource; output: Comparison };
}

export interface CompareSource {
  readonly before: JoinedResults;
  readonly after: JoinedResults;
}

/** What became of one request from the one run to the other, the worst first. */
export const comparedKinds = ['regressed', 'lost', 'changed', 'fixed', 'added', 'same'] as const;
export type ComparedKind = (typeof comparedKinds)[number];

export interface Comparison {
  readonly counts: Readonly<Record<ComparedKind, number>>;
  /** Pairs that are not `same`, the worst first: rows of both joined files, -1 where there is none. In shared memory. */
  readonly kinds: Uint8Array;
  readonly beforeRows: Int32Array;
  readonly afterRows: Int32Array;
  readonly inputTokens: readonly [before: number, after: number];
  readonly outputTokens: readonly [before: number, after: number];
}
