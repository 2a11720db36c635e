import type { AttachedAs, FromComposer, ToComposer } from './composing';
import type { OwnPrices } from './facts/requestCosts';
import type { ShownRows } from './rows/rowKinds';
import type { RowSplice } from './rows/rows';
import type { SessionView } from './sessionView';

/** How the panel is connected, for its header. `retryInMs` counts from the moment the message was posted. */
export type ConnectionView =
  | { readonly name: 'connecting' | 'live' | 'offlineFile' }
  /** `isPartial`: the end of the log is shown already, while the events before it are read. */
  | { readonly name: 'catchingUp'; readonly events: number; readonly isPartial?: boolean }
  | { readonly name: 'reconnecting'; readonly retryInMs: number; readonly problem: string }
  /** The service does not stream, or its stream is stalled: its history is read again so often. */
  | { readonly name: 'polling'; readonly everySeconds: number; readonly isStalled?: boolean }
  /** `reason` in words; what was seen stays. */
  | { readonly name: 'ended'; readonly reason: string };

/** Texts of the interface, by their English form: a webview has no `vscode.l10n`. */
export type Translations = Readonly<Record<string, string>>;

/**
 * Host to panel. The host owns the transcripts; the panel is a picture of them. `thread` is the id of the thread a message is
 * about; '' is the session's own log. After `ready` comes one `snapshot` per open thread, long ones in several `amend`s.
 */
export type ToWebview =
  | ToComposer
  | {
      readonly type: 'snapshot';
      readonly thread: string;
      readonly view: SessionView;
      readonly connection: ConnectionView;
      /** Rows will come to this number, as far as is known now. */
      readonly expectedRows: number;
      readonly locale: string;
      readonly translations: Translations;
      /** Name of the connection and its host; of an exported file its name. */
      readonly source: string;
      /** An exported file: nothing can be sent, and there is a slider. */
      readonly isReplay: boolean;
      readonly canWrite: boolean;
      /** The prices of the user's settings; absent: none. */
      readonly prices?: OwnPrices;
    }
  | {
      readonly type: 'amend';
      readonly thread: string;
      readonly splices: readonly RowSplice[];
      readonly view?: SessionView;
      readonly connection?: ConnectionView;
      /** Comes with `connection`: its name and host may be others by then. */
      readonly source?: string;
    }
  /** More text of a message that is being written; `part` counts its text parts. */
  | { readonly type: 'previewText'; readonly thread: string; readonly key: string; readonly part: number; readonly text: string }
  /** The whole of a part that was cut; `path` as it was asked for. */
  | {
      readonly type: 'part';
      readonly thread: string;
      readonly key: string;
      readonly path: string;
      readonly text: string;
      readonly isImage?: boolean;
      readonly problem?: string;
    }
  /** Rows with cut parts that hold the searched text in what was cut. */
  | { readonly type: 'searchHits'; readonly thread: string; readonly query: string; readonly keys: readonly string[] }
  /** What became of something the panel asked to send. After `failed` the panel puts the words back. */
  | { readonly type: 'sendResult'; readonly clientId: string; readonly ok: boolean; readonly problem?: string }
  /** Scroll to this row and mark it; it gets the keyboard, unless that is wanted elsewhere. */
  | { readonly type: 'reveal'; readonly thread: string; readonly key: string; readonly leavesKeyboard?: boolean }
  /** The state after event `seq`, for a replay. */
  | { readonly type: 'viewAt'; readonly seq: number; readonly view: SessionView }
  /** Put the keyboard into the composer, or onto the card of what waits: of the one with this event id. */
  | { readonly type: 'focus'; readonly target: 'composer' | 'ask' | 'search'; readonly eventId?: string };

/** What of a transcript is shown, for an export of what is seen. */
export interface RowFilter {
  readonly shown: ShownRows;
  readonly query?: string;
}

/** Panel to host; `fromWebviewSchema` parses it. It carries ids and the user's words, never a command, a path or an address to call. */
export type FromWebview =
  | FromComposer
  | { readonly type: 'ready' }
  /** The user looks at this thread now; said at every change of tab. A snapshot follows when there was none of it. */
  | { readonly type: 'openThread'; readonly thread: string }
  /** `files` are attached ones that go along. */
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
      /** Fingerprint of what the card showed (`askFingerprint`); nothing is allowed without it. */
      readonly shown?: string;
    }
  /** Asks the user for all that a rule needs that would answer what is asked here. */
  | { readonly type: 'makeRule'; readonly eventId: string }
  | { readonly type: 'customResult'; readonly clientId: string; readonly eventId: string; readonly text: string; readonly isError: boolean }
  /** Asks the user for a file and sends what is in it. */
  | { readonly type: 'customResultFromFile'; readonly clientId: string; readonly eventId: string }
  /** Whole text of a cut part. `path`: `input`, `result.0`, `parts.1`, `details`, `json`, `rubric`; `ask` for an ask's arguments by its event id. */
  | { readonly type: 'loadPart'; readonly thread: string; readonly key: string; readonly path: string }
  /** Opens a part in an editor of its own: pretty JSON, text, or an image. */
  | { readonly type: 'openPart'; readonly thread: string; readonly key: string; readonly path: string }
  /** The event as the service sent it, as a JSON document. */
  | { readonly type: 'openRaw'; readonly thread: string; readonly key: string }
  /** What a call of a file tool does to its file, as a diff in an editor; and the file itself, where the workspace has it. */
  | { readonly type: 'openChange'; readonly thread: string; readonly key: string }
  /** What an ask would do to its file, as a diff in an editor. */
  | { readonly type: 'openAskedChange'; readonly eventId: string }
  | { readonly type: 'openInWorkspace'; readonly thread: string; readonly key: string }
  /** Goes on in a new session with what was said up to a row of the session's own log. Asks the user before. */
  | { readonly type: 'startAgain'; readonly key: string }
  /** Copies a link to a row of the session's own log. */
  | { readonly type: 'copyLink'; readonly key: string }
  | { readonly type: 'search'; readonly thread: string; readonly query: string }
  /** Asks the user before it opens; only https, and http to this machine. */
  | { readonly type: 'openLink'; readonly href: string }
  | { readonly type: 'openAgent' }
  /** Shows what is attached, in pickers of VS Code: what is secret is asked for there, never here. */
  | { readonly type: 'manageResources' }
  | { readonly type: 'changeBudget' }
  /** A file that the session made, by its id. */
  | { readonly type: 'openMadeFile'; readonly id: string }
  | { readonly type: 'downloadMadeFile'; readonly id: string }
  /** Leads to what mends the credential that the error of a row is about. */
  | { readonly type: 'mendCredential'; readonly thread: string; readonly key: string }
  | { readonly type: 'copyText'; readonly text: string }
  /** The whole of a row of which the webview has a part. */
  | { readonly type: 'copyRow'; readonly thread: string; readonly key: string }
  /** Asks the user for the format, and with a filter whether only what passes it is meant. */
  | { readonly type: 'export'; readonly thread: string; readonly filter?: RowFilter }
  | { readonly type: 'retryNow' }
  | { readonly type: 'viewAt'; readonly seq: number };

/**
 * What the panel keeps over a reload, by `setState`. The host writes `connection` and `session` as JSON into `data-state` of the
 * element with the id `root`; the panel keeps them as they stand there, and they are all that the host reads.
 */
export interface PanelState {
  readonly connection?: string;
  readonly session?: string;
  readonly file?: string;
  readonly thread?: string;
  readonly draft?: string;
  /** Unfinished words elsewhere and what is folded, by name; bounded by the panel. */
  readonly memory?: Readonly<Record<string, string>>;
}
