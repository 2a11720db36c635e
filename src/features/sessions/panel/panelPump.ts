import { realTimers, type Timers } from '../../../common/lists/poller';
import type { OwnPrices, ToWebview } from '../../../shared/session/sessionProtocol';
import type { SessionView } from '../../../shared/session/sessionView';
import { toLabel } from '../../../shared/text';
import type { PanelSource } from '../live/panelSource';
import { SentRows } from './sentRows';

type Amend = Extract<ToWebview, { type: 'amend' }>;

interface PanelPumpOptions {
  readonly source: Pick<PanelSource, 'view' | 'connection' | 'name' | 'isReplay' | 'canWrite' | 'rows'>;
  /** Sends a message to the webview. Resolves once the message was sent, and never rejects. */
  readonly post: (message: ToWebview) => PromiseLike<unknown>;
  /** Returns the current prices from the settings. */
  readonly prices: () => OwnPrices;
  readonly timers?: Timers;
}

/** Delays between messages in milliseconds. The short delay looks continuous. The long delay gives the panel time to render many rows. */
const shortGap = 16;
const longGap = 50;
/** Number of rows above which the longer delay applies. */
const stormRows = 20;

interface PageThread {
  sent: SentRows;
  needsSnapshot: boolean;
  isChanged: boolean;
  /** Messages to send once the rows are up to date. */
  readonly after: ToWebview[];
}

/**
 * Sends changes of transcripts to a webview. Sends the first change immediately, and later changes in batches. Never sends more than the
 * webview can process, and nothing while paused. Compares the current rows with the rows that were sent, so a change that was replaced
 * meanwhile is never sent.
 */
export class PanelPump {
  private readonly threads = new Map<string, PageThread>();
  private sentView: SessionView | undefined;
  private isConnectionPending = false;
  private isPaused = true;
  private isRunning = false;
  private timer: unknown;

  private readonly timers: Timers;

  constructor(private readonly options: PanelPumpOptions) {
    this.timers = options.timers ?? realTimers;
  }

  /** Stops sending and forgets the sent rows, because the page will be loaded again. */
  pause(): void {
    this.isPaused = true;
    this.threads.clear();
    this.isConnectionPending = false;
    if (this.timer !== undefined) {
      this.timers.clear(this.timer);
      this.timer = undefined;
      this.isRunning = false;
    }
  }

  resume(): void {
    this.isPaused = false;
  }

  /** Sends a snapshot of a thread, and from then on its changes. */
  show(thread: string): void {
    if (!this.isPaused && !this.threads.has(thread)) {
      this.threads.set(thread, { sent: new SentRows(), needsSnapshot: true, isChanged: true, after: [] });
      this.run();
    }
  }

  /** Sends snapshots of all threads again, after a change that an `amend` message can't express. */
  redraw(): void {
    for (const shown of this.threads.values()) {
      shown.needsSnapshot = true;
    }
    this.run();
  }

  header(what: 'view' | 'connection'): void {
    if (!this.isPaused) {
      this.isConnectionPending ||= what === 'connection';
      this.run();
    }
  }

  rowsChanged(thread: string): void {
    const shown = this.threads.get(thread);
    if (shown !== undefined) {
      shown.isChanged = true;
      this.run();
    }
  }

  /** Sends a message after all pending changes of its thread. */
  afterRows(thread: string, message: ToWebview): void {
    this.threads.get(thread)?.after.push(message);
    this.run();
  }

  /** Sends a message now, or shortly after the previous message, and continues until nothing is pending. */
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
    const continueRun = () => {
      this.timer = undefined;
      this.isRunning = false;
      this.run();
    };
    this.options.post(next).then(() => {
      if (this.isPaused) {
        this.isRunning = false;
      } else {
        this.timer = this.timers.set(continueRun, rows > stormRows ? longGap : shortGap);
      }
    });
  }

  private take(): ToWebview | undefined {
    for (const [thread, shown] of this.threads) {
      const message = this.takeOf(thread, shown);
      if (message !== undefined) {
        // A served thread goes to the end of the queue.
        this.threads.delete(thread);
        this.threads.set(thread, shown);
        return message;
      }
    }
    const header = this.takeHeader();
    return header && { type: 'amend', thread: '', splices: [], ...header };
  }

  private takeOf(thread: string, shown: PageThread): ToWebview | undefined {
    const { source, prices } = this.options;
    const rows = source.rows(thread);
    if (rows === undefined) {
      return shown.after.shift();
    }
    if (shown.needsSnapshot) {
      shown.needsSnapshot = false;
      shown.isChanged = true;
      shown.sent = new SentRows();
      const { view, connection, name, isReplay, canWrite } = source;
      this.sentView = view;
      this.isConnectionPending = false;
      const header = { view, connection, source: toLabel(name), isReplay, canWrite, prices: prices() };
      return { type: 'snapshot', thread, expectedRows: rows.length, ...header };
    }
    if (shown.isChanged) {
      const next = shown.sent.next(rows);
      if ('key' in next) {
        return { type: 'previewText', thread, ...next };
      }
      if (next.length > 0) {
        return { type: 'amend', thread, splices: next, ...this.takeHeader() };
      }
      shown.isChanged = false;
    }
    return shown.after.shift();
  }

  /** Returns the changed fields of the header, or `undefined` if no field changed. */
  private takeHeader(): Pick<Amend, 'view' | 'connection' | 'source'> | undefined {
    const { view, connection, name } = this.options.source;
    const isNewView = view !== this.sentView;
    const isNewConnection = this.isConnectionPending;
    this.sentView = view;
    this.isConnectionPending = false;
    return isNewView || isNewConnection
      ? { ...(isNewView && { view }), ...(isNewConnection && { connection, source: toLabel(name) }) }
      : undefined;
  }
}
