import type { ResultStatus } from '../results/resultStatus';
import type { PairSide } from '../results/resultsProtocol';
import { type ComparedKind, comparedKinds } from './comparedKinds';
import type { ComparedReference, ComparedRuns, FromComparison } from './fromComparisonSchema';
import type { PairsState, ToPairs } from './pairsProtocol';

export type { ComparedReference, ComparedRuns, FromComparison };

export const comparisonFilters = ['all', ...comparedKinds] as const;
export type ComparisonFilter = 'all' | ComparedKind;

/** Answer of one of the runs to a request. Texts are one line and safe as labels. */
export interface ComparedAnswer {
  readonly mark: ResultStatus;
  /** Stop reason or error type; empty if it adds nothing to the status. */
  readonly reason: string;
  readonly outputTokens: number;
  readonly words: string;
  /** Result of the expectation, if there is one. */
  readonly expected?: 'passes' | 'fails' | 'unusable';
  /** Names of the failed checks. */
  readonly failed: readonly string[];
}

/** A request and its answers in both runs. */
export interface ComparisonRow {
  readonly id: string;
  /** Id of the request in the newer run, if it differs. */
  readonly otherId?: string;
  readonly kind: ComparedKind;
  readonly before?: ComparedAnswer;
  readonly after?: ComparedAnswer;
}

export interface ComparedRun {
  readonly name: string;
  readonly facts: readonly string[];
}

/** Header of the comparison. All texts are in the user's language. */
export interface ComparisonHead {
  readonly title: string;
  readonly runs: readonly [before: ComparedRun, after: ComparedRun];
  /** For example `56 worse, 0 better, 144 the same`. */
  readonly summary: string;
  /** States whether the difference can be chance. */
  readonly chance: string;
  readonly tone: 'better' | 'worse' | 'unclear';
  /** Values, intervals and p-values, one line per measure. */
  readonly measures: readonly string[];
  readonly method: string;
  readonly notices: readonly string[];
  /** Numbers without a statistical test. */
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
/** `before` and `after` show the request with its answer in the results of that run, `request` shows its line in the file. */
export const comparedPairActs = ['difference', 'before', 'after', 'request'] as const;
export type ComparisonAct = (typeof comparisonActs)[number];
export type ComparedPairAct = (typeof comparedPairActs)[number];

/** Host to panel. A comparison never changes, so there is only one `snapshot`. */
export type ToComparison = ToPairs<ComparisonFilter, ComparisonRow, ComparedPairView, ComparisonHead>;

/** State that the panel saves over a reload. The host writes the compared runs into the page. */
export type ComparisonState = ComparedRuns & PairsState<ComparisonFilter>;
