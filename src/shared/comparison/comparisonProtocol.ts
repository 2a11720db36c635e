import type { ResultStatus } from '../results/resultStatus';
import { type ComparedKind, comparedKinds } from './comparedKinds';
import type { ComparedReference, ComparedRuns, FromComparison } from './fromComparisonSchema';
import type { ComparedHead, ComparedSides, PairsState, ToPairs } from './pairsProtocol';

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
  readonly expected?: 'passes' | 'fails' | 'unusable';
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

export interface ComparisonHead extends ComparedHead<ComparisonFilter> {
  readonly runs: readonly [before: ComparedRun, after: ComparedRun];
  readonly chance: string;
  readonly tone: 'better' | 'worse' | 'unclear';
  /** Values, intervals and p-values, one line per measure. */
  readonly measures: readonly string[];
}

/** Both answers to a request. */
export type ComparedPairView = ComparedSides<ComparisonRow>;

export const comparisonActs = ['together'] as const;
/** `before` and `after` show the request with its answer in the results of that run, `request` shows its line in the file. */
export const comparedPairActs = ['difference', 'before', 'after', 'request'] as const;
export type ComparisonAct = (typeof comparisonActs)[number];
export type ComparedPairAct = (typeof comparedPairActs)[number];

/** Host to panel. A comparison never changes, so there is only one `snapshot`. */
export type ToComparison = ToPairs<ComparisonFilter, ComparisonRow, ComparedPairView, ComparisonHead>;

/** State that the panel saves over a reload. The host writes the compared runs into the page. */
export type ComparisonState = ComparedRuns & PairsState<ComparisonFilter>;
