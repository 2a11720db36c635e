import type { ComparedRun } from '../../comparison/comparisonProtocol';
import type { FromPairs, PairsState, ToPairs } from '../../comparison/pairsProtocol';
import type { PairSide } from '../../results/resultsProtocol';

/** What is listed: what differs, of turns, of calls, of answers, of the rest; or everything. */
export const sessionComparisonFilters = ['differs', 'turns', 'calls', 'answers', 'others', 'all'] as const;
export type SessionComparisonFilter = (typeof sessionComparisonFilters)[number];

/** What both sessions did at one point. Texts are in the user's language, one line, and safe as labels. */
export interface SessionComparisonRow {
  /** Number of its turn; of both where they differ. */
  readonly turn: string;
  readonly isTurn: boolean;
  readonly what: string;
  readonly kind: 'same' | 'changed' | 'lost' | 'added';
  /** What differs. */
  readonly change: string;
  readonly before?: string;
  readonly after?: string;
}

/** What stands above the table. All texts are in the user's language. */
export interface SessionComparisonHead {
  readonly title: string;
  /** How much differs, and from where on. */
  readonly summary: string;
  /** What differs, most telling first. */
  readonly differences: readonly string[];
  readonly sessions: readonly [before: ComparedRun, after: ComparedRun];
  readonly numbers: readonly { readonly name: string; readonly before: string; readonly after: string }[];
  readonly notices: readonly string[];
  readonly method: string;
  readonly counts: Readonly<Record<SessionComparisonFilter, number>>;
}

/** A point of both sessions, whole. */
export interface SessionPairView {
  readonly row: SessionComparisonRow;
  readonly before?: PairSide;
  readonly after?: PairSide;
}

/** `difference` shows both transcripts in the diff editor, `refresh` reads both sessions again. */
export const sessionComparisonActs = ['difference', 'refresh'] as const;
/** `before` and `after` open the session at that event. */
export const sessionPairActs = ['difference', 'before', 'after'] as const;
export type SessionComparisonAct = (typeof sessionComparisonActs)[number];
export type SessionPairAct = (typeof sessionPairActs)[number];

/** Panel to host; `fromSessionComparisonSchema` parses it. */
export type FromSessionComparison = FromPairs<SessionComparisonFilter, SessionComparisonAct, SessionPairAct>;

/** Host to panel; another `snapshot` comes whenever the sessions were read again. */
export type ToSessionComparison = ToPairs<SessionComparisonFilter, SessionComparisonRow, SessionPairView, SessionComparisonHead>;

/** What the panel keeps while it is hidden. */
export interface SessionComparisonState extends PairsState<SessionComparisonFilter> {
  /** Tells the page which comparison it is. */
  readonly of?: 'sessions';
  /** What is compared, for the panel to be brought back by. */
  readonly sessions?: readonly [before: ComparedReference, after: ComparedReference];
}

/** One of the sessions that are compared. */
export interface ComparedReference {
  readonly connection: string;
  readonly sessionId: string;
}
