import { realTimers, type Timers } from '../../../common/lists/poller';
import type { Row, RowSplice } from '../../../shared/session/rows/rows';
import type { ConnectionView, ToWebview } from '../../../shared/session/sessionProtocol';
import type { SessionView } from '../../../shared/session/sessionView';
import { PendingSplices } from './pendingSplices';

type SnapshotMessage = Extract<ToWebview, { type: 'snapshot' }>;
type Amend = Extract<ToWebview, { type: 'amend' }>;

/** Header of the panel, for any thread. */
export interface Header {
  /** The same object until something in it changes. */
  readonly view: SessionView;
  readonly connection: ConnectionView;
  /** Name and host of the connection, or name of the file. */
  readonly source: string;
}

export interface ThreadRows {
  readonly rows: readonly Row[];
  /** Number of rows that will exist, as far as known. */
  readonly expected: number;
}

/** Source of a pump. Called just before sending, to get the current state. */
export interface PumpSource {
  /** Sends a message to the webview. Resolves once it is on its way and never rejects. */
  post(message: ToWebview): PromiseLike<unknown>;
  header(): Header;
  /** Returns the other fields of a snapshot. */
  frame(): Omit<SnapshotMessage, 'type' | 'thread' | 'expectedRows' | keyof Header>;
  /** Returns `undefined` for a thread that is not shown. */
  rows(thread: string): ThreadRows | undefined;
}

/** Maximum number of rows, and approximate maximum number of characters, in one message. */
const maxRows = 2000;
const maxCharacters = 2_000_000;
/**
 * Delays between messages in milliseconds: one at which a trickle looks continuous, and one that gives the panel time to render a storm.
 */
const shortGap = 16;
const longGap = 50;
/** A message with more rows than this counts as a storm. */
const stormRows = 20;

class PendingThread {
  needsSnapshot = false;
  readonly splices = new PendingSplices();
  /** Preview texts by row key and part. */
  readonly previews = new Map<string, { readonly key: string; readonly part: number; text: string }>();
  /** Messages to send after all of the above. */
  readonly after: ToWebview[] = [];
}

/**
 * Sends changes of transcripts to a webview: the first change immediately, later ones in batches. Never sends more than the webview can
 * process, and nothing while paused. A change that was replaced before it was sent is never sent.
 */
export class PanelPump {
  private readonly threads = new Map<string, PendingThread>();
  private sentView: SessionView | undefined;
  private isViewPending = false;
  private isConnectionPending = false;
  private isPaused = true;
  private isRunning = false;
  private timer: unknown;

  constructor(
    private readonly source: PumpSource,
    private readonly timers: Timers = realTimers,
  ) {}

  /** Stops sending and drops pending changes, because a snapshot will follow. */
  pause(): void {
    this.isPaused = true;
    this.threads.clear();
    this.isViewPending = false;
    this.isConnectionPending = false;
    if (this.timer !== undefined) {
      this.timers.clear(this.timer);
      this.timer = undefined;
      this.isRunning = false;
    }
  }

  resume(): void {
    this.isPaused = false;
    this.run();
  }

  /** Sends all of a thread again, in its state at that time. */
  snapshot(thread: string): void {
    const pending = this.pendingOf(thread);
    if (pending !== undefined) {
      pending.needsSnapshot = true;
      pending.splices.clear();
      pending.previews.clear();
      this.run();
    }
  }

  /** Schedules an update of the header. */
  header(what: 'view' | 'connection'): void {
    if (!this.isPaused) {
      this.isViewPending ||= what === 'view';
      this.isConnectionPending ||= what === 'connection';
      this.run();
    }
  }

  splice(thread: string, splices: readonly RowSplice[]): void {
    const pending = this.pendingOf(thread);
    if (pending === undefined || pending.needsSnapshot || splices.length === 0) {
      return;
    }
    for (const splice of splices) {
      pending.splices.add(splice);
      if (pending.previews.size > 0) {
        // The row already contains the text so far.
        const keys = new Set(splice.rows.map(row => row.key));
        for (const [place, { key }] of pending.previews) {
          if (keys.has(key)) {
            pending.previews.delete(place);
          }
        }
      }
    }
    this.run();
  }

  previewText(thread: string, key: string, part: number, text: string): void {
    const pending = this.pendingOf(thread);
    if (pending === undefined || pending.needsSnapshot) {
      return;
    }
    const place = JSON.stringify([key, part]);
    const known = pending.previews.get(place);
    if (known === undefined) {
      pending.previews.set(place, { key, part, text });
    } else {
      known.text += text;
    }
    this.run();
  }

  /** Sends a message after all pending changes of its thread. */
  afterRows(thread: string, message: ToWebview): void {
    this.pendingOf(thread)?.after.push(message);
    this.run();
  }

  private pendingOf(thread: string): PendingThread | undefined {
    if (this.isPaused) {
      return undefined;
    }
    let pending = this.threads.get(thread);
    if (pending === undefined) {
      pending = new PendingThread();
      this.threads.set(thread, pending);
    }
    return pending;
  }

  /** Sends a message now, or shortly after the previous one, and continues until nothing is pending. */
  private run(): void {
    if (this.isRunning || this.isPaused) {
      return;
    }
    const next = this.take();
    if (next === undefined) {
      return;
    }
    this.isRunning = true;
    const rows = next.type === 'amend' ? next.splices.reduce((sum, splice) => sum + splice.rows.length, 0) : 0;
    const goOn = () => {
      this.timer = undefined;
      this.isRunning = false;
      this.run();
    };
    this.source.post(next).then(() => {
      if (this.isPaused) {
        this.isRunning = false;
      } else {
        this.timer = this.timers.set(goOn, rows > stormRows ? longGap : shortGap);
      }
    });
  }

  private take(): ToWebview | undefined {
    for (const [thread, pending] of this.threads) {
      // A served thread goes to the end of the queue.
      this.threads.delete(thread);
      const message = this.takeOf(thread, pending);
      if (message !== undefined) {
        this.threads.set(thread, pending);
        return message;
      }
    }
    const header = this.takeHeader();
    return header && { type: 'amend', thread: '', splices: [], ...header };
  }

  private takeOf(thread: string, pending: PendingThread): ToWebview | undefined {
    if (pending.needsSnapshot) {
      pending.needsSnapshot = false;
      const state = this.source.rows(thread);
      if (state !== undefined) {
        pending.splices.add({ at: 0, remove: 0, rows: state.rows });
        const header = this.source.header();
        this.sentView = header.view;
        this.isViewPending = false;
        this.isConnectionPending = false;
        const expectedRows = Math.max(state.expected, state.rows.length);
        return { ...this.source.frame(), ...header, type: 'snapshot', thread, expectedRows };
      }
    }
    if (!pending.splices.isEmpty) {
      return { type: 'amend', thread, splices: pending.splices.take(maxRows, maxCharacters), ...this.takeHeader() };
    }
    for (const [place, preview] of pending.previews) {
      pending.previews.delete(place);
      return { type: 'previewText', thread, ...preview };
    }
    return pending.after.shift();
  }

  /** Returns the changed fields of the header, or `undefined` if there are none. */
  private takeHeader(): Pick<Amend, keyof Header> | undefined {
    if (!this.isViewPending && !this.isConnectionPending) {
      return undefined;
    }
    const { view, connection, source } = this.source.header();
    const isNewView = view !== this.sentView;
    const isNewConnection = this.isConnectionPending;
    this.sentView = view;
    this.isViewPending = false;
    this.isConnectionPending = false;
    return isNewView || isNewConnection ? { ...(isNewView && { view }), ...(isNewConnection && { connection, source }) } : undefined;
  }
}
