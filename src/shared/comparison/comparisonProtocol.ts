import type { ResultStatus } from '../results/resultStatus';
import type { ComparedReference, ComparedRuns, ComparedSessionsState, FromComparison, FromSessionComparison } from './fromComparisonSchema';
import type { PairSide } from '../results/resultsProtocol';

export type { ComparedReference, ComparedRuns, FromComparison };

/** Kinds of change of a request between two runs, worst first. */
export const comparedKinds = ['regressed', 'fixed', 'changed', 'lost', 'added', 'same'] as const;
export type ComparedKind = (typeof comparedKinds)[number];

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

/** Requests of a list of pairs to its host. Positions are indexes in the filtered list. */
export type AskForPairs<Filter> =
  | { readonly type: 'window'; readonly filter: Filter; readonly from: number; readonly count: number }
  | { readonly type: 'open'; readonly filter: Filter; readonly place: number };

/** A requested pair, or the reason why it is missing. */
export interface OpenPair<Pair> {
  readonly place: number;
  readonly pair?: Pair | undefined;
  readonly problem?: string | undefined;
}

/** Host to panel. After `ready`, the host sends a `snapshot`. A new one replaces everything before it. */
export type ToPairs<Filter, Row, Pair, Head> =
  | { readonly type: 'snapshot'; readonly head: Head }
  | { readonly type: 'rows'; readonly filter: Filter; readonly from: number; readonly rows: readonly Row[] }
  | (OpenPair<Pair> & { readonly type: 'pair'; readonly filter: Filter });

interface ComparedHead<Filter extends string> {
  readonly title: string;
  readonly summary: string;
  /** Numbers without a statistical test. */
  readonly numbers: readonly { readonly name: string; readonly before: string; readonly after: string }[];
  readonly notices: readonly string[];
  readonly method: string;
  readonly counts: Readonly<Record<Filter, number>>;
}

/** A row with the full content of both sides. */
export interface ComparedSides<Row> {
  readonly row: Row;
  readonly before?: PairSide;
  readonly after?: PairSide;
}

/** State that a panel of pairs saves over a reload. */
export interface PairsState<Filter> {
  readonly filter?: Filter;
  readonly active?: number;
  readonly isOpen?: boolean;
  readonly split?: number;
  readonly memory?: Readonly<Record<string, string>>;
}

export type { FromSessionComparison };

/**
 * Filters of the list. `all` shows everything, `differs` all differences, and the rest only the differences in turns, calls, answers or
 * other steps.
 */
export const sessionComparisonFilters = ['differs', 'turns', 'calls', 'answers', 'others', 'all'] as const;
export type SessionComparisonFilter = (typeof sessionComparisonFilters)[number];

/** A turn or step of both sessions, for the table. Texts are in the user's language, one line, and safe as labels. */
export interface SessionComparisonRow {
  /** Number of its turn, or both numbers if they differ. */
  readonly turn: string;
  readonly isTurn: boolean;
  readonly what: string;
  readonly kind: 'same' | 'changed' | 'lost' | 'added';
  readonly change: string;
  readonly before?: string;
  readonly after?: string;
}

export interface SessionComparisonHead extends ComparedHead<SessionComparisonFilter> {
  /** Differences, most important first. */
  readonly differences: readonly string[];
  readonly sessions: readonly [before: ComparedRun, after: ComparedRun];
}

/** A turn or step of both sessions, with its full content. */
export type SessionPairView = ComparedSides<SessionComparisonRow>;

/** `difference` shows both transcripts in the diff editor, `refresh` reads both sessions again. */
export const sessionComparisonActs = ['difference', 'refresh'] as const;
/** `before` and `after` open the session at that event. */
export const sessionPairActs = ['difference', 'before', 'after'] as const;
export type SessionComparisonAct = (typeof sessionComparisonActs)[number];
export type SessionPairAct = (typeof sessionPairActs)[number];

/** Host to panel. A new `snapshot` is sent whenever the sessions were read again. */
export type ToSessionComparison = ToPairs<SessionComparisonFilter, SessionComparisonRow, SessionPairView, SessionComparisonHead>;

/** State that the panel saves while it is hidden. */
export interface SessionComparisonState extends PairsState<SessionComparisonFilter>, ComparedSessionsState {
  /** Set for a comparison of sessions, absent for one of results. */
  readonly of?: 'sessions';
}
