import { realTimers, type Timers } from '../../../../common/lists/poller';
import type { Row, RowSplice } from '../../../../shared/session/rows/rows';
import type { ConnectionView, ToWebview } from '../../../../shared/session/sessionProtocol';
import type { SessionView } from '../../../../shared/session/sessionView';
import { PendingSplices } from './pendingSplices';

type SnapshotMessage = Extract<ToWebview, { type: 'snapshot' }>;
type Amend = Extract<ToWebview, { type: 'amend' }>;

/** What stands above the timeline, of whichever thread. */
export interface Header {
  /** The same object for as long as nothing in it changes. */
  readonly view: SessionView;
  readonly connection: ConnectionView;
  /** Name of the connection and its host; of a file its name. */
  readonly source: string;
}

/** The rows of a thread. */
export interface ThreadRows {
  readonly rows: readonly Row[];
  /** They will come to this number, as far as is known. */
  readonly expected: number;
}

/** What a pump asks for when it is about to send: things as they are then. */
export interface PumpSource {
  /** Hands a message to the webview; settles when it is on its way, and never rejects. */
  post(message: ToWebview): PromiseLike<unknown>;
  header(): Header;
  /** What a snapshot says besides. */
  frame(): Omit<SnapshotMessage, 'type' | 'thread' | 'expectedRows' | keyof Header>;
  /** Undefined for a thread that is not shown. */
  rows(thread: string): ThreadRows | undefined;
}

/** At most so many rows, and about so many characters of them, in one message. */
const maxRows = 2000;
const maxCharacters = 2_000_000;
/** Milliseconds between messages: of a trickle nobody sees more, and in a storm the panel has time to draw. */
const shortGap = 16;
const longGap = 50;
/** From so many rows in a message on it is a storm. */
const stormRows = 20;

class PendingThread {
  needsSnapshot = false;
  readonly splices = new PendingSplices();
  /** By row key and part. */
  readonly previews = new Map<string, { readonly key: string; readonly part: number; text: string }>();
  /** To be sent when all of the above has been. */
  readonly after: ToWebview[] = [];
}

/**
 * Sends what changes in transcripts to a webview: the first change at once, what follows in batches, never more than the
 * webview takes, and nothing at all while it is paused. What is replaced before it was sent is never sent.
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

  /** Stops sending; what was pending is forgotten, because a snapshot will come. */
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

  /** Sends the whole of a thread again, as it is when its turn comes. */
  snapshot(thread: string): void {
    const pending = this.pendingOf(thread);
    if (pending !== undefined) {
      pending.needsSnapshot = true;
      pending.splices.clear();
      pending.previews.clear();
      this.run();
    }
  }

  /** The view may have changed, or how things are connected has. */
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
        // The row brings the text along that it had by then.
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

  /** Sends a message when all that is known of its thread by now has been sent. */
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

  /** Sends one message now unless the last one was sent a moment ago, and goes on until nothing is pending. */
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
      // Whoever is served goes to the end of the queue.
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

  /** What changed above the timeline; undefined when nothing did. */
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
