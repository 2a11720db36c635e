import type { ToComposer } from './composing';
import type { FromWebview, RowFilter } from './fromSessionSchema';
import type { RowSplice } from './rows/rows';
import type { SessionView } from './sessionView';

export type { FromWebview, RowFilter };

/** Connection state for the panel's header. `retryInMs` counts from the moment the message was posted. */
export type ConnectionView =
  | { readonly name: 'connecting' | 'live' | 'offlineFile' }
  /** `isPartial`: the end of the log is already shown while earlier events are read. */
  | { readonly name: 'catchingUp'; readonly events: number; readonly isPartial?: boolean }
  | { readonly name: 'reconnecting'; readonly retryInMs: number; readonly problem: string }
  /** The service does not stream, or its stream is stalled. The history is read at this interval. */
  | { readonly name: 'polling'; readonly everySeconds: number }
  /** No more events will arrive. `reason` is text for the user. The rows stay. */
  | { readonly name: 'ended'; readonly reason: string };

/** Price of one million tokens of a model, by token bucket. */
export interface TokenPrices {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

/** Prices from the user's settings, by model id, and their currency as a three-letter code. */
export interface OwnPrices {
  readonly currency: string;
  readonly models: readonly (readonly [model: string, prices: TokenPrices])[];
}

/**
 * Host to panel. The host owns the transcripts and the panel shows them. `thread` is the id of the thread that a message is about, or ''
 * for the session's own log. After `ready`, the host sends one `snapshot` per open thread, followed by several `amend`s if the log is long.
 */
export type ToWebview =
  | ToComposer
  | {
      readonly type: 'snapshot';
      readonly thread: string;
      readonly view: SessionView;
      readonly connection: ConnectionView;
      /** Number of rows that the host expects to send. */
      readonly expectedRows: number;
      /** Name and host of the connection, or name of the exported file. */
      readonly source: string;
      /** True for an exported file: nothing can be sent, and there is a replay slider. */
      readonly isReplay: boolean;
      readonly canWrite: boolean;
      readonly prices?: OwnPrices;
    }
  | {
      readonly type: 'amend';
      readonly thread: string;
      readonly splices: readonly RowSplice[];
      readonly view?: SessionView;
      readonly connection?: ConnectionView;
      /** Sent with `connection`, because name and host may have changed. */
      readonly source?: string;
    }
  /** More text of a message that is being written. `part` is the index among the message's text parts. */
  | { readonly type: 'previewText'; readonly thread: string; readonly key: string; readonly part: number; readonly text: string }
  /** Complete content of a cut part. `path` is the requested path. */
  | {
      readonly type: 'part';
      readonly thread: string;
      readonly key: string;
      readonly path: string;
      readonly text: string;
      readonly isImage?: boolean;
      readonly problem?: string;
    }
  /** Rows with cut parts that contain the search text in the cut text. */
  | { readonly type: 'searchHits'; readonly thread: string; readonly query: string; readonly keys: readonly string[] }
  /** Result of a send. If it failed, the panel restores the text. */
  | { readonly type: 'sendResult'; readonly clientId: string; readonly ok: boolean; readonly problem?: string }
  /** Shows `thread` and marks the row `key`, unless it is ''. Without `leavesKeyboard`, the row gets the focus. */
  | { readonly type: 'reveal'; readonly thread: string; readonly key: string; readonly leavesKeyboard?: boolean }
  /** Focuses the composer, the search, or the card of the ask with this event id. */
  | { readonly type: 'focus'; readonly target: 'composer' | 'ask' | 'search'; readonly eventId?: string };

/**
 * State that the panel saves across a reload with `setState`. The host writes `connection` and `session` as JSON into `data-state` of the
 * element with id `root`. The panel saves them unchanged, and the host reads nothing else.
 */
export interface PanelState {
  readonly connection?: string;
  readonly session?: string;
  readonly file?: string;
  readonly thread?: string;
  readonly draft?: string;
  readonly given?: string;
  /** Other drafts and folded sections, by name. The panel limits their size. */
  readonly memory?: Readonly<Record<string, string>>;
}
