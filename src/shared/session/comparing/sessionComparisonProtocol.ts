import type { ComparedRun } from '../../comparison/comparisonProtocol';
import type { PairSide } from '../../results/resultsProtocol';
import type { Translations } from '../sessionProtocol';

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

/** Panel to host; `fromSessionComparisonSchema` parses it. Places count within what the filter lists. */
export type FromSessionComparison =
  | { readonly type: 'ready' }
  | { readonly type: 'window'; readonly filter: SessionComparisonFilter; readonly from: number; readonly count: number }
  | { readonly type: 'open'; readonly filter: SessionComparisonFilter; readonly place: number }
  | { readonly type: 'pair'; readonly filter: SessionComparisonFilter; readonly place: number; readonly act: SessionPairAct }
  | { readonly type: 'act'; readonly act: SessionComparisonAct }
  | { readonly type: 'openLink'; readonly href: string }
  | { readonly type: 'copyText'; readonly text: string };

export interface SessionComparisonSnapshot {
  readonly locale: string;
  readonly translations: Translations;
  readonly head: SessionComparisonHead;
}

/** Host to panel. After `ready`, and whenever the sessions were read again, comes a `snapshot`. */
export type ToSessionComparison =
  | ({ readonly type: 'snapshot' } & SessionComparisonSnapshot)
  | {
      readonly type: 'rows';
      readonly filter: SessionComparisonFilter;
      readonly from: number;
      readonly rows: readonly SessionComparisonRow[];
    }
  | {
      readonly type: 'pair';
      readonly filter: SessionComparisonFilter;
      readonly place: number;
      readonly pair?: SessionPairView;
      readonly problem?: string;
    };

/** What the panel keeps while it is hidden. */
export interface SessionComparisonState {
  /** Tells the page which comparison it is. */
  readonly of?: 'sessions';
  readonly filter?: SessionComparisonFilter;
  readonly active?: number;
  readonly isOpen?: boolean;
  readonly split?: number;
  readonly memory?: Readonly<Record<string, string>>;
}
