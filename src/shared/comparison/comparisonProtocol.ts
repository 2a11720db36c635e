import type { PairSide } from '../results/resultsProtocol';
import type { ComparedReference, ComparedRuns, FromComparison, FromPairs, FromSessionComparison } from './fromComparisonSchema';

export type { ComparedReference, ComparedRuns, FromComparison, FromPairs, FromSessionComparison };

/** Kinds of change of a request between two runs, worst first. */
export const comparedKinds = ['regressed', 'fixed', 'changed', 'lost', 'added', 'same'] as const;
export type ComparedKind = (typeof comparedKinds)[number];

export const comparisonFilters = ['all', ...comparedKinds] as const;
export type ComparisonFilter = 'all' | ComparedKind;

/** Actions on a request. `before` and `after` show the request in the results of one run. `request` shows the line in the request file. */
export const comparedPairActs = ['difference', 'before', 'after', 'request'] as const;
export type ComparedPairAct = (typeof comparedPairActs)[number];

/** Filters of the list. `differs` shows all differences. The other filters show differences in turns, calls, answers or other steps. */
export const sessionComparisonFilters = ['differs', 'turns', 'calls', 'answers', 'others', 'all'] as const;
export type SessionComparisonFilter = (typeof sessionComparisonFilters)[number];

/** Content above the list. All texts of a comparison are in the user's language, one line, and safe as labels. */
export interface ComparisonHead {
  readonly of: 'results' | 'sessions';
  readonly title: string;
  readonly summary: string;
  readonly tone?: 'better' | 'worse' | 'unclear';
  /** Statement on whether the difference can be due to chance. */
  readonly chance?: string;
  /** Differences, most important first. */
  readonly differences: readonly string[];
  readonly runs: readonly [before: ComparedRun, after: ComparedRun];
  /** Numbers without a statistical test. */
  readonly numbers: readonly { readonly name: string; readonly before: string; readonly after: string }[];
  readonly notices: readonly string[];
  /** Measures, one line each, and the method. */
  readonly details: readonly string[];
  readonly acts: readonly ComparisonLink[];
  readonly filtersLabel: string;
  /** Filters of the list. The first filter is the default. */
  readonly filters: readonly { readonly id: string; readonly label: string; readonly count: number }[];
  readonly tableLabel: string;
  readonly columns: readonly string[];
  readonly empty: string;
  readonly pairLabel: string;
}

export interface ComparedRun {
  readonly name: string;
  readonly facts: readonly string[];
}

interface ComparisonLink {
  readonly act: string;
  readonly label: string;
}

export interface ComparisonRow {
  readonly cells: readonly ComparedCell[];
  readonly isTurn?: boolean;
}

export interface ComparedCell {
  readonly words: string;
  /** CSS classes: `kind-KIND`, `mark-STATUS`, `words` for a long text, `isComing` for a side that is not read yet. */
  readonly className?: string;
}

/** A pair with the full content of both sides. */
export interface ComparedPairView {
  readonly label: string;
  readonly name: string;
  readonly change?: ComparedCell;
  readonly links: readonly ComparisonLink[];
  readonly before?: PairSide;
  readonly after?: PairSide;
}

/** A requested pair, or the reason why the pair is missing. */
export interface OpenPair {
  readonly place: number;
  readonly pair?: ComparedPairView | undefined;
  readonly problem?: string | undefined;
}

/** Host to panel. After `ready`, the host sends a `snapshot`. A new snapshot replaces all earlier messages. */
export type ToComparison =
  | { readonly type: 'snapshot'; readonly head: ComparisonHead }
  | { readonly type: 'rows'; readonly filter: string; readonly from: number; readonly rows: readonly ComparisonRow[] }
  | (OpenPair & { readonly type: 'pair'; readonly filter: string });

/** State that a panel saves across a reload. The host writes the compared runs or sessions into the page. */
export interface PairsState {
  readonly filter?: string;
  readonly active?: number;
  readonly isOpen?: boolean;
  readonly split?: number;
  readonly memory?: Readonly<Record<string, string>>;
}
