import type { ComparedRun } from './comparisonProtocol';
import type { ComparedSessionsState, FromSessionComparison } from './fromSessionComparisonSchema';
import type { ComparedHead, ComparedSides, PairsState, ToPairs } from './pairsProtocol';

export type { FromSessionComparison };

/** Filters of the list. `differs` shows all differences, the others those in turns, calls, answers or other steps, and `all` everything. */
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
  /** Tells the page to show a comparison of sessions. */
  readonly of?: 'sessions';
}
