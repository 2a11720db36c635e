import type { AttachedAs, FromComposer, ToComposer } from './composing';
import type { OwnPrices } from './facts/requestCosts';
import type { ShownRows } from './rows/rowKinds';
import type { RowSplice } from './rows/rows';
import type { SessionView } from './sessionView';
import type { Translations } from './translateText';

/** Connection state for the panel's header. `retryInMs` counts from the moment the message was posted. */
export type ConnectionView =
  | { readonly name: 'connecting' | 'live' | 'offlineFile' }
  /** `isPartial`: the end of the log is already shown while earlier events are read. */
  | { readonly name: 'catchingUp'; readonly events: number; readonly isPartial?: boolean }
  | { readonly name: 'reconnecting'; readonly retryInMs: number; readonly problem: string }
  /** The service does not stream, or its stream is stalled. Its history is read at this interval. */
  | { readonly name: 'polling'; readonly everySeconds: number; readonly isStalled?: boolean }
  /** `reason` is a text. The rows stay. */
  | { readonly name: 'ended'; readonly reason: string };

/**
 * Host to panel. The host owns the transcripts and the panel shows them. `thread` is the id of the thread that a message is about; '' is
 * the session's own log. After `ready`, the host sends one `snapshot` per open thread, followed by several `amend`s if it is long.
 */
export type ToWebview =
  | ToComposer
  | {
      readonly type: 'snapshot';
      readonly thread: string;
      readonly view: SessionView;
      readonly connection: ConnectionView;
      /** Number of rows that will be sent, as far as known. */
      readonly expectedRows: number;
      readonly locale: string;
      readonly translations: Translations;
      /** Name and host of the connection, or name of the exported file. */
      readonly source: string;
      /** True for an exported file: nothing can be sent, and there is a replay slider. */
      readonly isReplay: boolean;
      readonly canWrite: boolean;
      /** Prices from the user's settings, if any. */
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
  /** More text of a message that is being written. `part` counts its text parts (0-based). */
  | { readonly type: 'previewText'; readonly thread: string; readonly key: string; readonly part: number; readonly text: string }
  /** A complete part that was cut. `path` is that of the request. */
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
  /** Scroll to this row and mark it. It gets the focus, unless `leavesKeyboard`. */
  | { readonly type: 'reveal'; readonly thread: string; readonly key: string; readonly leavesKeyboard?: boolean }
  /** State after event `seq`, for a replay. */
  | { readonly type: 'viewAt'; readonly seq: number; readonly view: SessionView }
  /** Focus the composer, the search, or the card of the ask with this event id. */
  | { readonly type: 'focus'; readonly target: 'composer' | 'ask' | 'search'; readonly eventId?: string };

/** The visible part of a transcript, for an export. */
export interface RowFilter {
  readonly shown: ShownRows;
  readonly query?: string;
}

/** Panel to host; `fromWebviewSchema` parses it. Contains ids and the user's text, never a command, a path or an address to call. */
export type FromWebview =
  | FromComposer
  | { readonly type: 'ready' }
  /** The user typed something: the panel is kept if it is the preview. */
  | { readonly type: 'keep' }
  /** The user switched to this thread. A snapshot follows if there was none yet. */
  | { readonly type: 'openThread'; readonly thread: string }
  /** `files` are the attached files to send. */
  | {
      readonly type: 'send';
      readonly clientId: string;
      readonly text: string;
      readonly files?: readonly { readonly id: string; readonly as: AttachedAs }[];
    }
  | { readonly type: 'interrupt'; readonly thread?: string }
  | {
      readonly type: 'defineOutcome';
      readonly clientId: string;
      readonly description: string;
      readonly rubric: string;
      readonly maxIterations?: number;
    }
  | {
      readonly type: 'confirm';
      readonly clientId: string;
      readonly eventId: string;
      readonly result: 'allow' | 'deny';
      readonly denyMessage?: string;
      /** Fingerprint of what the card showed (`askFingerprint`), required to allow anything. */
      readonly shown?: string;
    }
  /** Asks the user for the details of a rule that would answer this ask. */
  | { readonly type: 'makeRule'; readonly eventId: string }
  | { readonly type: 'customResult'; readonly clientId: string; readonly eventId: string; readonly text: string; readonly isError: boolean }
  /** Asks the user for a file and sends its content. */
  | { readonly type: 'customResultFromFile'; readonly clientId: string; readonly eventId: string }
  /**
   * Requests a complete part. `path` is, for example, `input`, `result.0`, `parts.1`, `details`, `json` or `rubric`. It is `ask` for an
   * ask's arguments, by event id.
   */
  | { readonly type: 'loadPart'; readonly thread: string; readonly key: string; readonly path: string }
  /** Opens a part in an editor of its own: pretty JSON, text, or an image. */
  | { readonly type: 'openPart'; readonly thread: string; readonly key: string; readonly path: string }
  /** Opens the event as the service sent it, as a JSON document. */
  | { readonly type: 'openRaw'; readonly thread: string; readonly key: string }
  /** Opens the change of a file tool's call as a diff, or the file itself if the workspace has it. */
  | { readonly type: 'openChange'; readonly thread: string; readonly key: string }
  /** Opens the file change that an ask requests as a diff. */
  | { readonly type: 'openAskedChange'; readonly eventId: string }
  | { readonly type: 'openInWorkspace'; readonly thread: string; readonly key: string }
  /** Continues in a new session from a row of the session's own log. Asks the user first. */
  | { readonly type: 'startAgain'; readonly key: string }
  /** Copies a link to a row of the session's own log. */
  | { readonly type: 'copyLink'; readonly key: string }
  | { readonly type: 'search'; readonly thread: string; readonly query: string }
  /** Asks the user before opening a link. Only https, and http to this machine. */
  | { readonly type: 'openLink'; readonly href: string }
  | { readonly type: 'openAgent' }
  /** Shows the attached resources in pickers of VS Code. Secrets are entered there, never in the panel. */
  | { readonly type: 'manageResources' }
  | { readonly type: 'changeBudget' }
  /** Opens a file that the session created, by its id. */
  | { readonly type: 'openMadeFile'; readonly id: string }
  | { readonly type: 'downloadMadeFile'; readonly id: string }
  /** Starts the fix for the credential of a row's error. */
  | { readonly type: 'fixCredential'; readonly thread: string; readonly key: string }
  | { readonly type: 'copyText'; readonly text: string }
  /** Copies a complete row of which the webview has a part. */
  | { readonly type: 'copyRow'; readonly thread: string; readonly key: string }
  /** Asks the user for the format and, with a filter, whether to apply it. */
  | { readonly type: 'export'; readonly thread: string; readonly filter?: RowFilter }
  | { readonly type: 'retryNow' }
  | { readonly type: 'viewAt'; readonly seq: number };

/**
 * State that the panel saves over a reload with `setState`. The host writes `connection` and `session` as JSON into `data-state` of the
 * element with id `root`. The panel saves them unchanged, and the host reads nothing else.
 */
export interface PanelState {
  readonly connection?: string;
  readonly session?: string;
  readonly file?: string;
  readonly thread?: string;
  readonly draft?: string;
  /** Text that the message field has at first. */
  readonly given?: string;
  /** Other drafts and folded sections, by name. The panel limits their size. */
  readonly memory?: Readonly<Record<string, string>>;
}
