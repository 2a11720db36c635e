import type { watchEvents } from '../../../../client/events/eventStream';
import type { WatchState } from '../../../../client/events/watchUpdates';
import type { EventLog } from '../../../../client/serviceClient';
import { Emitter } from '../../../../common/emitter';
import { realTimers, type Timers } from '../../../../common/lists/poller';
import { describeError } from '../../../../common/text/describeError';
import type { Translate } from '../../../../common/text/translate';
import type { SessionReference } from '../../../../contributions';
import type { TranscriptEvent } from '../../../../shared/session/event';
import type { ConnectionView } from '../../../../shared/session/sessionProtocol';
import { createSessionView, type SessionView } from '../../../../shared/session/sessionView';
import type { Transcript } from '../../../../shared/session/transcript';
import { readNewest } from '../../exporting/wholeLog';
import { toConnectionView } from '../words/connectionWords';
import { translatedView } from '../words/translatedView';
import type { PanelSource, SourceChange } from './panelSource';
import type { SessionAccess } from './sessionAccess';
import { SessionReader } from './sessionReader';
import { ThreadLog } from './threadLog';

export interface LiveSessionOptions {
  readonly reference: SessionReference;
  /** Name of the connection and its host, as it is set up now. */
  readonly name: () => string;
  readonly access: SessionAccess;
  readonly watch: typeof watchEvents;
  /** Event types that are previewed while they are made; undefined for none. */
  readonly previews: () => readonly string[] | undefined;
  readonly canWrite: () => boolean;
  readonly t: Translate;
  readonly warn: (message: string) => void;
  readonly timers?: Timers;
  /** Of the same clock as the watch. */
  readonly now?: () => number;
}

/** Streams of threads at once, that of the session itself among them. */
const maxStreams = 4;
/** Milliseconds a session is still watched after its panel was hidden, so that what it asks is noticed at once. */
const hiddenWatch = 5 * 60_000;
/** Milliseconds between two readings of the history of a service that does not stream. */
const poll = 15_000;
/** Newest events of a thread that nobody opened in which a call is looked for. */
const searched = 5000;

/** Events after which the session object says something new. */
const telling = /^session\.(?!usage)|^span\.outcome_evaluation_end$/;

/**
 * One session as its panel shows it: what the service says of it, its threads, and the log of each thread that was opened, kept up
 * to date while it is watched.
 */
export class LiveSession implements PanelSource {
  readonly isReplay = false;
  readonly reference: SessionReference;
  private readonly changed = new Emitter<SourceChange>();
  readonly onDidChange = this.changed.event;
  private readonly logs = new Map<string, ThreadLog>();
  private isDisposed = false;
  private readonly timers: Timers;
  private readonly now: () => number;
  private readonly reader: SessionReader;
  private cachedView: { readonly view: SessionView; readonly text: string } | undefined;
  private isViewStale = true;
  /** The watch said so. */
  private isDeleted = false;
  private shownThread = '';
  private showings = 0;
  private isVisible = true;
  private isStarted = false;
  /** Why nothing is watched, in words. */
  private blocked: string | undefined;
  private hideTimer: unknown;
  /** The service does not stream: its history is read from time to time. */
  private isPolled = false;
  private pollTimer: unknown;
  /** Of the connection, when the watches began. */
  private setUp = '';
  private toldProblem = '';

  constructor(private readonly options: LiveSessionOptions) {
    this.reference = options.reference;
    this.timers = options.timers ?? realTimers;
    this.now = options.now ?? (() => performance.now());
    this.reader = new SessionReader({
      sessionId: options.reference.sessionId,
      sessions: () => options.access.read(),
      timers: this.timers,
      now: this.now,
      isShown: () => this.isVisible && this.isStarted,
      onRead: () => this.wasRead(),
    });
  }

  get name(): string {
    return this.options.name();
  }

  get canWrite(): boolean {
    return this.options.canWrite();
  }

  get view(): SessionView {
    let cached = this.cachedView;
    if (cached === undefined || this.isViewStale) {
      this.isViewStale = false;
      const view = this.createView();
      const text = JSON.stringify(view);
      cached = text === cached?.text ? cached : { view, text };
      this.cachedView = cached;
    }
    return cached.view;
  }

  get connection(): ConnectionView {
    const { t } = this.options;
    if (this.blocked !== undefined) {
      return { name: 'ended', reason: this.blocked };
    }
    if (this.isPolled && !this.isGone) {
      return { name: 'polling', everySeconds: poll / 1000 };
    }
    const state: WatchState = this.isGone ? { name: 'ended', reason: 'deleted' } : this.log(this.shownThread).state;
    return toConnectionView(state, this.now(), this.reader.session !== undefined, t);
  }

  /** Whether what it shows is what the service has now: its history was read, and it is watched. */
  get isUpToDate(): boolean {
    const log = this.logs.get('');
    return this.blocked === undefined && this.reader.session !== undefined && log?.isWatched === true && isReading(log.state);
  }

  viewAt(seq: number): SessionView {
    return translatedView(createSessionView({ ...this.source(), isPast: true }, this.log('').transcript.stateAt(seq)), this.options.t);
  }

  transcript(thread: string): Transcript | undefined {
    return this.logs.get(thread)?.transcript;
  }

  /** Log of a thread, made when first asked for. */
  log(thread: string): ThreadLog {
    let log = this.logs.get(thread);
    if (log === undefined) {
      log = this.createLog(thread);
      this.logs.set(thread, log);
    }
    return log;
  }

  /** Watches, unless something speaks against it, which the connection then says. */
  start(): void {
    this.isStarted = true;
    this.block(this.options.access.obstacle);
    if (this.blocked === undefined) {
      this.startLogs();
    }
  }

  /** Something changed that may have been in the way, or is now: the connection, trust, the emulator. */
  recheck(): void {
    if (!this.isStarted) {
      return;
    }
    const { obstacle, setUp } = this.options.access;
    const wasBlocked = this.blocked !== undefined;
    this.block(obstacle);
    if (obstacle !== undefined || setUp !== this.setUp) {
      this.stopLogs();
    }
    if (obstacle !== undefined) {
      return;
    }
    if (setUp !== this.setUp) {
      this.startLogs();
    } else if (wasBlocked || (this.log('').state.name === 'ended' && !this.isGone)) {
      this.startLogs();
    } else {
      this.retry();
    }
  }

  /** The user wants to try now. Rejects when the emulator cannot be started. */
  async retryNow(): Promise<void> {
    await this.options.access.ask();
    this.block(this.options.access.obstacle);
    if (this.blocked === undefined) {
      this.startLogs();
      this.retry();
    }
  }

  openThread(thread: string): void {
    this.shownThread = thread;
    const log = this.log(thread);
    log.lastShown = ++this.showings;
    if (this.isStarted && this.blocked === undefined) {
      log.start();
      this.restSome();
    }
    this.changed.fire({ type: 'connection' });
  }

  /** A panel nobody sees is watched for some minutes more. */
  setVisible(isVisible: boolean): void {
    if (isVisible === this.isVisible) {
      return;
    }
    this.isVisible = isVisible;
    this.stopHiding();
    if (isVisible) {
      if (this.isStarted && this.blocked === undefined) {
        this.startLogs();
      }
      this.readSoon();
    } else {
      this.hideTimer = this.timers.set(() => this.stopLogs(), hiddenWatch);
    }
  }

  /** Reads the session and its threads again, soon. */
  readSoon(): void {
    if (this.blocked === undefined && this.isStarted) {
      this.reader.readSoon();
    }
  }

  get described(): PanelSource['described'] {
    const { session, threads } = this.reader;
    return { ...(session && { session }), ...(threads && { threads }) };
  }

  get openThreads(): readonly string[] {
    return [...this.logs.keys()];
  }

  /** Id of the primary thread, where the service lists threads. */
  get primaryThread(): string | undefined {
    return this.view.threads.find(({ isPrimary }) => isPrimary)?.id || undefined;
  }

  /** An event by its id, from whatever was read; else from the log of the thread that it came from. Undefined when it is nowhere. */
  async findEvent(id: string, thread: string | undefined, signal: AbortSignal): Promise<TranscriptEvent | undefined> {
    for (const log of this.logs.values()) {
      const event = log.transcript.eventOf(id);
      if (event !== undefined) {
        return event;
      }
    }
    const others = this.view.threads.filter(({ isPrimary }) => !isPrimary).map(other => other.id);
    for (const place of thread === undefined ? others : [thread]) {
      const event = (await readNewest(this.eventLog(place), signal, searched)).find(candidate => candidate.id === id);
      if (event !== undefined) {
        return event;
      }
    }
    return undefined;
  }

  dispose(): void {
    this.isStarted = false;
    this.isDisposed = true;
    this.reader.dispose();
    this.stopHiding();
    this.stopLogs();
    this.changed.dispose();
  }

  private createView(): SessionView {
    return translatedView(createSessionView(this.source(), this.log('').transcript.stateAt()), this.options.t);
  }

  /** It was there, and the service does not know it any more. */
  private get isGone(): boolean {
    return this.isDeleted || this.reader.isDeleted;
  }

  private source() {
    const { session, threads } = this.reader;
    return { session: session ?? { id: this.reference.sessionId }, threads, isDeleted: this.isGone };
  }

  private createLog(thread: string): ThreadLog {
    return new ThreadLog({
      thread,
      log: this.eventLog(thread),
      watch: this.options.watch,
      previews: this.options.previews,
      onRows: splices => {
        this.changed.fire({ type: 'rows', thread, splices });
        this.viewChanged();
      },
      onText: (key, part, text) => this.changed.fire({ type: 'text', thread, key, part, text }),
      onState: state => this.stateChanged(thread, state),
      onEvents: (types, isLive) => {
        this.viewChanged();
        if (isLive && thread === '' && [...types].some(type => telling.test(type))) {
          this.readSoon();
        }
      },
    });
  }

  /** The service's log of a thread, over the connection as it is when it is asked. */
  private eventLog(thread: string): EventLog {
    const { access, reference } = this.options;
    const reach = async () => {
      const sessions = await access.read();
      return thread === '' ? sessions.events(reference.sessionId) : sessions.threadEvents(reference.sessionId, thread);
    };
    return { list: async options => (await reach()).list(options), stream: async options => (await reach()).stream(options) };
  }

  private stateChanged(thread: string, state: WatchState): void {
    if (thread === '') {
      if (isReading(state) || state.name === 'ended') {
        this.readSoon();
      }
      if (isReading(state)) {
        this.isPolled = false;
        this.isDeleted = false;
        this.reader.isDeleted = false;
      } else if (state.name === 'ended' && state.reason === 'unsupported' && this.reader.session !== undefined) {
        this.isPolled = true;
        this.pollLater();
      }
      if (state.name === 'ended' && state.reason === 'deleted') {
        this.isDeleted = true;
        this.viewChanged();
      }
      this.warnOnce(state);
    }
    if (thread === this.shownThread) {
      this.changed.fire({ type: 'connection' });
    }
  }

  /** Writes down why a session is no longer watched; the same again only after it was watched in between. */
  private warnOnce(state: WatchState): void {
    if (state.name === 'live') {
      this.toldProblem = '';
    } else if (state.name === 'ended' && state.error !== undefined) {
      const problem = describeError(state.error);
      if (problem !== this.toldProblem) {
        this.toldProblem = problem;
        this.options.warn(`Session ${this.reference.sessionId} is no longer watched: ${problem}`);
      }
    }
  }

  /** Reads the history again after a while, where the service does not stream and somebody looks. */
  private pollLater(): void {
    this.timers.clear(this.pollTimer);
    this.pollTimer = this.timers.set(() => {
      if (this.isStarted && this.isVisible && this.blocked === undefined && !this.isGone) {
        this.startLogs();
      }
    }, poll);
  }

  private viewChanged(): void {
    this.isViewStale = true;
    this.changed.fire({ type: 'view' });
  }

  private block(reason: string | undefined): void {
    if (reason !== this.blocked) {
      this.blocked = reason;
      this.changed.fire({ type: 'connection' });
    }
  }

  /** Watches the session's own log and the thread that is shown; others begin again when they are shown. */
  private startLogs(): void {
    if (this.isDisposed) {
      return;
    }
    this.setUp = this.options.access.setUp;
    this.log('').start();
    this.log(this.shownThread).start();
    this.restSome();
    this.readSoon();
  }

  private stopLogs(): void {
    for (const log of this.logs.values()) {
      log.stop();
    }
    this.timers.clear(this.pollTimer);
    this.reader.rest();
  }

  private retry(): void {
    for (const log of this.logs.values()) {
      if (log.isWatched) {
        log.retryNow();
      }
    }
  }

  /** Ends the watches of the threads that were shown longest ago when there are too many. */
  private restSome(): void {
    const others = [...this.logs].filter(([thread, log]) => thread !== '' && log.isWatched).map(([, log]) => log);
    others.sort((a, b) => b.lastShown - a.lastShown);
    for (const log of others.slice(maxStreams - 1)) {
      log.stop();
    }
  }

  private wasRead(): void {
    const primary = this.reader.threads?.find(thread => thread.parent_thread_id === null)?.id;
    if (primary !== undefined) {
      this.log('').setShownThread(primary);
    }
    this.viewChanged();
    this.changed.fire({ type: 'connection' });
  }

  private stopHiding(): void {
    if (this.hideTimer !== undefined) {
      this.timers.clear(this.hideTimer);
      this.hideTimer = undefined;
    }
  }
}

/** Whether what the service has is known, and what comes will be. */
function isReading({ name }: WatchState): boolean {
  return name === 'live' || name === 'polling';
}
