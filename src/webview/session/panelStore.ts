import { defined } from '../../shared/defined';
import type { Composing } from '../../shared/session/composing';
import type { MessageRow, Part, Row, RowSplice, ThinkingRow } from '../../shared/session/rows/rows';
import type { ToWebview } from '../../shared/session/sessionProtocol';
import type { SessionView } from '../../shared/session/sessionView';
import type { StartState, ToStart } from '../../shared/session/startProtocol';
import { ReplyStore } from '../controls/hostStore';
import { OpenRows, TimelineModel } from './timeline/timelineModel';
import { type AppliedSplice, TranscriptRows } from './transcriptRows';

/** Number of new rows per render that counts as a storm. With this many rows, no row stays visible until the next render. */
const stormRows = 60;

/** State of one thread. A snapshot replaces `rows` and `model`. Until then, they change in place. */
export interface ThreadState {
  readonly rows: TranscriptRows;
  readonly model: TimelineModel;
  readonly open: OpenRows;
  readonly expectedRows: number;
  readonly isWhole: boolean;
  /** Rows with cut parts in which the host found the query. */
  readonly hits: { readonly query: string; readonly keys: ReadonlySet<string> };
}

type SessionState = Omit<Extract<ToWebview, { type: 'snapshot' }>, 'type' | 'thread' | 'expectedRows'>;

interface SplicedRows extends AppliedSplice {
  readonly thread: string;
}

/** Runs a task once before the next frame, or a few frames later during a storm, when nobody could read the rows anyway. */
type Schedule = (task: () => void, isStorm: boolean) => void;

type PanelNews = Extract<ToWebview, { type: 'reveal' | 'focus' }>;

/**
 * State that the host sent to the panel, by thread. Messages are applied immediately. Change listeners are called at most once per frame.
 */
export class PanelStore extends ReplyStore<ToWebview | ToStart> {
  /** `undefined` before the first snapshot. */
  session: SessionState | undefined;
  /** State of a session that does not exist yet. */
  start: StartState | undefined;
  composing: Composing = {};
  readonly #threads = new Map<string, ThreadState>();
  readonly #spliceListeners = new Set<(spliced: SplicedRows) => void>();
  readonly #news: PanelNews[] = [];
  #isScheduled = false;
  /** Number of rows added since the last render, and between the last two renders. */
  #newRows = 0;
  #rowsBefore = 0;

  constructor(private readonly schedule: Schedule) {
    super();
  }

  thread(id: string): ThreadState | undefined {
    return this.#threads.get(id);
  }

  onDidSplice(listener: (spliced: SplicedRows) => void): () => void {
    this.#spliceListeners.add(listener);
    return () => this.#spliceListeners.delete(listener);
  }

  /** Returns the host's requests to reveal a row or move the focus, each only once. */
  takeNews(): readonly PanelNews[] {
    return this.#news.splice(0);
  }

  receive(message: ToWebview | ToStart): void {
    switch (message.type) {
      case 'start':
        this.start = message;
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
      case 'part':
      case 'sendResult':
        this.takeReply(message);
        break;
      case 'searchHits': {
        const thread = this.#threads.get(message.thread);
        if (thread !== undefined) {
          this.#threads.set(message.thread, { ...thread, hits: { query: message.query, keys: new Set(message.keys) } });
        }
        break;
      }
      case 'filesFound':
      case 'attached':
      case 'prompts':
      case 'prompt':
        this.composing = { ...this.composing, [message.type]: message };
        break;
      case 'reveal':
      case 'focus':
        this.#news.push(message);
        break;
    }
    this.changed();
  }

  #takeSnapshot(message: Extract<ToWebview, { type: 'snapshot' }>): void {
    const { type: _, thread, expectedRows, ...session } = message;
    const rows = new TranscriptRows();
    this.forgetChangedAsks(toPrints(this.session?.view), toPrints(session.view));
    this.#threads.set(thread, {
      rows,
      model: new TimelineModel(rows),
      open: this.#threads.get(thread)?.open ?? new OpenRows(),
      expectedRows,
      isWhole: expectedRows === 0,
      hits: { query: '', keys: new Set() },
    });
    this.session = session;
  }

  #amend(message: Extract<ToWebview, { type: 'amend' }>): void {
    const state = this.#threads.get(message.thread);
    for (const splice of message.splices) {
      if (state !== undefined) {
        this.#apply(message.thread, state, splice);
      }
    }
    if (state?.isWhole === false && state.rows.length >= state.expectedRows) {
      this.#threads.set(message.thread, { ...state, isWhole: true });
    }
    const { view, connection, source } = message;
    if (this.session !== undefined && (view !== undefined || connection !== undefined)) {
      if (view !== undefined) {
        this.forgetChangedAsks(toPrints(this.session.view), toPrints(view));
      }
      this.session = { ...this.session, ...defined({ source, view, connection }) };
    }
  }

  #addPreview({ thread, key, part, text }: Extract<ToWebview, { type: 'previewText' }>): void {
    const state = this.#threads.get(thread);
    const at = state?.rows.indexOf(key) ?? -1;
    const row = state?.rows.at(at);
    if (state !== undefined && row !== undefined && isPreview(row)) {
      this.#apply(thread, state, { at, remove: 1, rows: [{ ...row, parts: withMoreText(row.parts, part, text) }] });
    }
  }

  #apply(thread: string, { rows, model }: ThreadState, splice: RowSplice): void {
    const applied = rows.apply(splice);
    model.takeSplice(applied);
    this.#newRows += applied.added.length;
    for (const listener of this.#spliceListeners) {
      listener({ thread, ...applied });
    }
  }

  protected override changed(): void {
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      this.schedule(() => {
        this.#isScheduled = false;
        this.#rowsBefore = this.#newRows;
        this.#newRows = 0;
        super.changed();
      }, Math.min(this.#rowsBefore, this.#newRows) >= stormRows);
    }
  }
}

/** Returns the arguments of all open asks, by event id. */
function toPrints(view: SessionView | undefined): ReadonlyMap<string, string> {
  return new Map(view?.asks.map(({ eventId, input }) => [eventId, JSON.stringify(input)]));
}

/** Returns whether a row shows a message that is being written. */
export function isPreview(row: Row): row is MessageRow | ThinkingRow {
  return 'preview' in row && row.preview === true;
}

/** Appends to the text part with this index among the text parts. An index past the last one starts a new part. */
function withMoreText(parts: readonly Part[], number: number, text: string): readonly Part[] {
  let textParts = 0;
  for (const [index, part] of parts.entries()) {
    if (part.type === 'text' && textParts++ === number) {
      return parts.with(index, { ...part, text: part.text + text });
    }
  }
  return [...parts, { type: 'text', text }];
}
