import type { Composing } from '../../shared/session/composing';
import type { OwnPrices } from '../../shared/session/facts/requestCosts';
import type { MessageRow, Part, Row, ThinkingRow } from '../../shared/session/rows/rows';
import type { ConnectionView, ToWebview } from '../../shared/session/sessionProtocol';
import type { SessionView } from '../../shared/session/sessionView';
import type { StartState, ToStart } from '../../shared/session/startProtocol';
import { type LoadedParts, partId, type SendResults } from '../controls/panelContext';
import { type AppliedSplice, TranscriptRows } from './transcriptRows';

/** Number of new rows per render that counts as a storm: no row stays visible until the next render. */
const stormRows = 60;

/** State of one thread. `rows` keep their identity; everything else is replaced when it changes. */
export interface ThreadState {
  readonly rows: TranscriptRows;
  /** Number of snapshots so far. A new one can change everything. */
  readonly generation: number;
  readonly expectedRows: number;
  /** True once all expected rows were received. */
  readonly isWhole: boolean;
  /** Rows with cut parts in which the host found the query. */
  readonly hits: { readonly query: string; readonly keys: ReadonlySet<string> };
}

/** State of the whole panel; `undefined` before the first snapshot. */
export interface SessionState {
  readonly view: SessionView;
  readonly connection: ConnectionView;
  /** Time at which `connection` was received, by `performance.now()`. */
  readonly connectionSince: number;
  readonly source: string;
  readonly isReplay: boolean;
  readonly canWrite: boolean;
  readonly prices: OwnPrices | undefined;
}

export interface SplicedRows extends AppliedSplice {
  readonly thread: string;
}

export interface PanelStoreOptions {
  /** Runs a task once before the next frame. During a storm, runs it a few frames later, because nobody could read the rows. */
  readonly schedule: (task: () => void, isStorm: boolean) => void;
  readonly now: () => number;
}

type PanelNews = Extract<ToWebview, { type: 'reveal' | 'focus' }>;

/**
 * State that the host sent to the panel, by thread. Messages are applied immediately; change listeners are called at most once per frame.
 */
export class PanelStore {
  readonly #threads = new Map<string, ThreadState>();
  readonly #changeListeners = new Set<() => void>();
  readonly #spliceListeners = new Set<(spliced: SplicedRows) => void>();
  readonly #newsListeners = new Set<(news: PanelNews) => void>();
  readonly #earlyNews: PanelNews[] = [];
  readonly #options: PanelStoreOptions;
  #session: SessionState | undefined;
  #start: StartState | undefined;
  #viewAt: { readonly seq: number; readonly view: SessionView } | undefined;
  #loadedParts: LoadedParts = new Map();
  #sendResults: SendResults = new Map();
  #composing: Composing = {};
  #isScheduled = false;
  /** Number of rows added since the last render, and during the one before. */
  #newRows = 0;
  #rowsBefore = 0;

  constructor(options: PanelStoreOptions) {
    this.#options = options;
  }

  get session(): SessionState | undefined {
    return this.#session;
  }

  /** State of a session that does not exist yet. */
  get start(): StartState | undefined {
    return this.#start;
  }

  /** State of the session after an event, as last requested by a replay. */
  get viewAt(): { readonly seq: number; readonly view: SessionView } | undefined {
    return this.#viewAt;
  }

  /** Results of sends. A new map when one is added. */
  get sendResults(): SendResults {
    return this.#sendResults;
  }

  /** Files and prompts for the composer, from the host. */
  get composing(): Composing {
    return this.#composing;
  }

  /** Parts that were loaded completely. A new map when one is added. The arguments of an ask have its event id as key and `ask` as path. */
  get loadedParts(): LoadedParts {
    return this.#loadedParts;
  }

  thread(id: string): ThreadState | undefined {
    return this.#threads.get(id);
  }

  /** Calls `listener` at most once per frame, if something changed. */
  onDidChange(listener: () => void): () => void {
    return subscribe(this.#changeListeners, listener);
  }

  /** Calls `listener` for each splice as it is applied. */
  onDidSplice(listener: (spliced: SplicedRows) => void): () => void {
    return subscribe(this.#spliceListeners, listener);
  }

  /**
   * Calls `listener` when the host asks the panel to reveal a row or move the focus. Requests that arrive before the first listener,
   * because nothing is rendered yet, are delivered to it.
   */
  onNews(listener: (news: PanelNews) => void): () => void {
    const end = subscribe(this.#newsListeners, listener);
    for (const news of this.#earlyNews.splice(0)) {
      listener(news);
    }
    return end;
  }

  /** Applies a message from the host. Ignores messages of unknown types. */
  receive(message: ToWebview | ToStart): void {
    switch (message.type) {
      case 'start':
        this.#start = message;
        break;
      case 'snapshot':
        this.#takeSnapshot(message);
        break;
      case 'amend':
        this.#amend(message);
        break;
      case 'previewText':
        this.#addPreview(message);
        break;
      case 'part': {
        const { thread, key, path, type: _, ...part } = message;
        this.#loadedParts = new Map([...this.#loadedParts, [partId(thread, key, path), part]]);
        break;
      }
      case 'searchHits': {
        const thread = this.#threads.get(message.thread);
        if (thread !== undefined) {
          this.#threads.set(message.thread, { ...thread, hits: { query: message.query, keys: new Set(message.keys) } });
        }
        break;
      }
      case 'sendResult': {
        const { clientId, type: _, ...result } = message;
        this.#sendResults = new Map([...this.#sendResults, [clientId, result]]);
        break;
      }
      case 'filesFound':
      case 'attached':
      case 'prompts':
      case 'prompt':
        this.#composing = { ...this.#composing, [message.type]: message };
        break;
      case 'viewAt':
        this.#viewAt = { seq: message.seq, view: message.view };
        break;
      case 'reveal':
      case 'focus':
        if (this.#newsListeners.size === 0) {
          this.#earlyNews.push(message);
        }
        for (const listener of this.#newsListeners) {
          listener(message);
        }
        break;
    }
    this.#changed();
  }

  /** Deletes the loaded arguments of asks whose arguments have changed. */
  #forgetChangedAsks(before: SessionView | undefined, view: SessionView): void {
    for (const { eventId, input } of before?.asks ?? []) {
      const next = view.asks.find(ask => ask.eventId === eventId);
      const id = partId('', eventId, 'ask');
      if (this.#loadedParts.has(id) && JSON.stringify(next?.input) !== JSON.stringify(input)) {
        this.#loadedParts = new Map([...this.#loadedParts].filter(([known]) => known !== id));
      }
    }
  }

  #takeSnapshot(message: Extract<ToWebview, { type: 'snapshot' }>): void {
    const { thread, expectedRows, view, connection, source, isReplay, canWrite, prices } = message;
    const known = this.#threads.get(thread);
    this.#forgetChangedAsks(this.#session?.view, view);
    this.#threads.set(thread, {
      rows: new TranscriptRows(),
      generation: (known?.generation ?? 0) + 1,
      expectedRows,
      isWhole: expectedRows === 0,
      hits: { query: '', keys: new Set() },
    });
    this.#session = {
      ...{ view, connection, source, isReplay, canWrite, prices },
      connectionSince: this.#options.now(),
    };
  }

  #amend(message: Extract<ToWebview, { type: 'amend' }>): void {
    const state = this.#threads.get(message.thread);
    for (const splice of message.splices) {
      if (state !== undefined) {
        this.#tellSplice(message.thread, state.rows.apply(splice));
      }
    }
    if (state?.isWhole === false && state.rows.length >= state.expectedRows) {
      this.#threads.set(message.thread, { ...state, isWhole: true });
    }
    const { view, connection, source } = message;
    if (this.#session !== undefined && (view !== undefined || connection !== undefined)) {
      this.#forgetChangedAsks(this.#session.view, view ?? this.#session.view);
      this.#session = {
        ...this.#session,
        ...(source === undefined ? {} : { source }),
        ...(view === undefined ? {} : { view }),
        ...(connection === undefined ? {} : { connection, connectionSince: this.#options.now() }),
      };
    }
  }

  #addPreview({ thread, key, part, text }: Extract<ToWebview, { type: 'previewText' }>): void {
    const rows = this.#threads.get(thread)?.rows;
    const at = rows?.indexOf(key) ?? -1;
    const row = rows?.at(at);
    if (rows !== undefined && row !== undefined && isPreview(row)) {
      this.#tellSplice(thread, rows.apply({ at, remove: 1, rows: [{ ...row, parts: withMoreText(row.parts, part, text) }] }));
    }
  }

  #tellSplice(thread: string, applied: AppliedSplice): void {
    this.#newRows += applied.added.length;
    for (const listener of this.#spliceListeners) {
      listener({ thread, ...applied });
    }
  }

  #changed(): void {
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      const schedule = this.#options.schedule;
      schedule(() => {
        this.#isScheduled = false;
        this.#rowsBefore = this.#newRows;
        this.#newRows = 0;
        for (const listener of this.#changeListeners) {
          listener();
        }
      }, Math.min(this.#rowsBefore, this.#newRows) >= stormRows);
    }
  }
}

function subscribe<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function isPreview(row: Row): row is MessageRow | ThinkingRow {
  return 'preview' in row && row.preview === true;
}

/** Appends to the text part with this index among the text parts. An index past the last one starts a new part. */
function withMoreText(parts: readonly Part[], number: number, text: string): readonly Part[] {
  let seen = 0;
  for (const [index, part] of parts.entries()) {
    if (part.type === 'text' && seen++ === number) {
      return parts.with(index, { ...part, text: part.text + text });
    }
  }
  return [...parts, { type: 'text', text }];
}
