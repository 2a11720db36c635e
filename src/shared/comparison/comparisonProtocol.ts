import type { ResultStatus } from '../results/resultStatus';
import type { PairSide } from '../results/resultsProtocol';
import { type ComparedKind, comparedKinds } from './comparedKinds';
import type { FromPairs, PairsState, ToPairs } from './pairsProtocol';

/** Which requests are listed. */
export const comparisonFilters = ['all', ...comparedKinds] as const;
export type ComparisonFilter = 'all' | ComparedKind;

/** What one of the runs gave for a request. Texts are one line and safe as labels. */
export interface ComparedAnswer {
  readonly mark: ResultStatus;
  /** Stop reason, or type of the error; empty where that says nothing new. */
  readonly reason: string;
  readonly outputTokens: number;
  readonly words: string;
  /** By what is expected of it; absent where nothing is. */
  readonly expected?: 'passes' | 'fails' | 'unusable';
  /** The checks that it fails. */
  readonly failed: readonly string[];
}

/** A request and what both runs gave for it. */
export interface ComparisonRow {
  readonly id: string;
  /** Its id in the newer run, where that is another one. */
  readonly otherId?: string;
  readonly kind: ComparedKind;
  readonly before?: ComparedAnswer;
  readonly after?: ComparedAnswer;
}

/** One of the runs. */
export interface ComparedRun {
  readonly name: string;
  readonly facts: readonly string[];
}

/** What stands above the table. All texts are in the user's language. */
export interface ComparisonHead {
  readonly title: string;
  readonly runs: readonly [before: ComparedRun, after: ComparedRun];
  /** `56 worse, 0 better, 144 the same`. */
  readonly summary: string;
  /** Whether that can be chance. */
  readonly chance: string;
  readonly tone: 'better' | 'worse' | 'unclear';
  /** Values, intervals and p-values, one line per measure. */
  readonly measures: readonly string[];
  readonly method: string;
  readonly notices: readonly string[];
  /** Numbers without a test. */
  readonly numbers: readonly { readonly name: string; readonly before: string; readonly after: string }[];
  readonly counts: Readonly<Record<ComparisonFilter, number>>;
}

/** Both answers to a request. */
export interface ComparedPairView {
  readonly row: ComparisonRow;
  readonly before?: PairSide;
  readonly after?: PairSide;
}

export const comparisonActs = ['together'] as const;
/** `before` and `after` show the request with its answer in the results of that run; `request` its line in the file. */
export const comparedPairActs = ['difference', 'before', 'after', 'request'] as const;
export type ComparisonAct = (typeof comparisonActs)[number];
export type ComparedPairAct = (typeof comparedPairActs)[number];

/** Panel to host; `fromComparisonSchema` parses it. */
export type FromComparison = FromPairs<ComparisonFilter, ComparisonAct, ComparedPairAct>;

/** Host to panel. A comparison never changes: it has one `snapshot`. */
export type ToComparison = ToPairs<ComparisonFilter, ComparisonRow, ComparedPairView, ComparisonHead>;

/** The runs that a panel compares. */
export interface ComparedRuns {
  readonly runs?: readonly [one: ComparedReference, other: ComparedReference];
}

/** A run alone, or with its retries. */
export interface ComparedReference {
  readonly runId: string;
  readonly withRetries: boolean;
}

/** What the panel keeps while it is hidden, and over a reload. What it compares the host writes into the page. */
export type ComparisonState = ComparedRuns & PairsState<ComparisonFilter>;
