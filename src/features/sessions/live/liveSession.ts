import type { EventLog } from '../../../client/events/eventLog';
import type { watchEvents } from '../../../client/events/eventStream';
import type { WatchState } from '../../../client/events/watchUpdates';
import { Emitter } from '../../../common/emitter';
import { realTimers, type Timers } from '../../../common/lists/poller';
import { describeError } from '../../../common/text/describeError';
import type { Translate } from '../../../common/text/translate';
import type { SessionReference } from '../../../contributions';
import { redact } from '../../../shared/redaction';
import type { TranscriptEvent } from '../../../shared/session/event';
import type { Row } from '../../../shared/session/rows/rows';
import type { ConnectionView } from '../../../shared/session/sessionProtocol';
import type { RunAgentView, SessionView } from '../../../shared/session/sessionView';
import type { Transcript } from '../../../shared/session/transcript';
import { findNewest, threadLogOf } from '../facts/wholeLog';
import { createSessionView } from './createSessionView';
import { CachedValue, type PanelSource, type SourceChange, translatedView } from './panelSource';
import type { SessionAccess } from './sessionAccess';
import { SessionReader } from './sessionReader';
import { isReading, SessionLogs, ThreadLog } from './threadLog';
import { toRunViews } from './toRunViews';
import { toThreadViews } from './toThreadViews';

interface LiveSessionOptions {
  readonly reference: SessionReference;
  /** Returns the current name and host of the connection. */
  readonly name: () => string;
  readonly access: SessionAccess;
  readonly watch: typeof watchEvents;
  /** Returns the event types to preview while they are written. `undefined` to preview no events. */
  readonly previews: () => readonly string[] | undefined;
  readonly canWrite: () => boolean;
  readonly byRule?: () => SessionView['byRule'];
  readonly t: Translate;
  readonly warn: (message: string) => void;
  readonly timers?: Timers;
  readonly now?: () => number;
}

/** Milliseconds for which a session is still watched after its panel was hidden, so that its asks are noticed at once. */
const hiddenWatch = 5 * 60_000;
/** Interval between two reads of the history of a service that does not stream, in milliseconds. */
const pollInterval = 15_000;

/** Types of events that may change the session object. */
const changesSession = /^session\.(?!usage)|^span\.outcome_evaluation_end$/;

/** A session as its panel shows it, kept up to date: the session object, its threads, and the opened logs. */
export class LiveSession implements PanelSource {
  readonly isReplay = false;
  readonly reference: SessionReference;
  private readonly changed = new Emitter<SourceChange>();
  readonly onDidChange = this.changed.event;
  private readonly logs: SessionLogs;
  private isDisposed = false;
  private readonly timers: Timers;
  private readonly now: () => number;
  private readonly reader: SessionReader;
  /** True if the service does not stream. Its history is then polled. */
  private isPolled = false;
  private pollTimer: unknown;
  /** Last logged reason why the session is no longer watched. */
  private loggedProblem = '';
  private readonly views = new CachedValue(() =>
    translatedView(
      { ...createSessionView(this.source(), this.log('').transcript.state(), this.options.byRule?.()), ...this.problem },
      this.options.t,
    ),
  );
  private problem: Pick<SessionView, 'problem'> = {};
  private isVisible = true;
  private isStarted = false;
  /** Reason why reading is not possible now, if any. */
  private blocked: string | undefined;
  private hideTimer: unknown;
  /** Settings of the connection when the watches started. */
  private setUp = '';

  constructor(private readonly options: LiveSessionOptions) {
    this.reference = options.reference;
    this.timers = options.timers ?? realTimers;
    this.now = options.now ?? (() => performance.now());
    this.reader = new SessionReader({
      ...{ sessionId: options.reference.sessionId, timers: this.timers, now: this.now },
      service: () => options.access.service(),
      isShown: () => this.isVisible && this.isStarted,
      onRead: () => this.wasRead(),
    });
    this.logs = new SessionLogs(
      thread =>
        new ThreadLog({
          ...{ thread, timers: this.timers, log: this.eventLog(thread), watch: options.watch, previews: options.previews },
          onRows: () => {
            this.changed.fire({ type: 'rows', thread });
            this.viewChanged();
          },
          onText: () => this.changed.fire({ type: 'rows', thread }),
          onState: state => this.stateChanged(thread, state),
          onEvents: (types, isLive) => {
            this.viewChanged();
            if (isLive && thread === '' && [...types].some(type => changesSession.test(type))) {
              this.readSoon();
            }
          },
        }),
    );
  }

  get name(): string {
    return this.options.name();
  }

  get canWrite(): boolean {
    return this.options.canWrite();
  }

  get view(): SessionView {
    return this.views.current;
  }

  get connection(): ConnectionView {
    const { t } = this.options;
    const { isDeleted, session } = this.reader;
    if (this.blocked !== undefined) {
      return { name: 'ended', reason: this.blocked };
    }
    if (this.view.state === 'archived') {
      return { name: 'ended', reason: t('This session is archived.') };
    }
    if (this.isPolled && !isDeleted) {
      return { name: 'polling', everySeconds: pollInterval / 1000 };
    }
    const { state, isPartial } = this.log(this.logs.shown);
    const shown = toConnectionView(isDeleted ? { name: 'ended', reason: 'deleted' } : state, this.now(), session !== undefined, t);
    return shown.name === 'catchingUp' && isPartial ? { ...shown, isPartial } : shown;
  }

  /** True if the session's history was read and the session is watched. */
  get isUpToDate(): boolean {
    const log = this.logs.get('');
    return this.blocked === undefined && this.reader.session !== undefined && log?.isWatched === true && isReading(log.state);
  }

  transcript(thread: string): Transcript | undefined {
    return this.logs.get(thread)?.transcript;
  }

  rows(thread: string): readonly Row[] | undefined {
    return this.transcript(thread)?.rows;
  }

  log(thread: string): ThreadLog {
    return this.logs.of(thread);
  }

  /** Starts watching. If something prevents watching, `connection` says why. */
  start(): void {
    this.isStarted = true;
    this.block(this.options.access.obstacle);
    this.startLogs();
  }

  /** Handles changes of the connection, trust, or the emulator. They can block or unblock reading. */
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
    if (setUp !== this.setUp || wasBlocked || (this.log('').state.name === 'ended' && !this.reader.isDeleted)) {
      this.startLogs();
    } else {
      this.logs.retryNow();
    }
  }

  /** Retries now, because the user asked for it. Rejects if the emulator can't be started. */
  async retryNow(): Promise<void> {
    await this.options.access.ask();
    this.block(this.options.access.obstacle);
    if (this.blocked === undefined) {
      this.startLogs();
      this.logs.retryNow();
    }
  }

  openThread(thread: string): void {
    this.logs.show(thread, this.isStarted && this.blocked === undefined);
    // An opened thread of a workflow run gets a tab in the view.
    this.viewChanged();
    this.changed.fire({ type: 'connection' });
  }

  /** Handles showing and hiding. The session of a hidden panel is watched for some more minutes. */
  setVisible(isVisible: boolean): void {
    if (isVisible === this.isVisible) {
      return;
    }
    this.isVisible = isVisible;
    this.timers.clear(this.hideTimer);
    if (isVisible) {
      this.startLogs();
      this.readSoon();
    } else {
      this.hideTimer = this.timers.set(() => this.stopLogs(), hiddenWatch);
    }
  }

  setProblem(problem: SessionView['problem']): void {
    if (JSON.stringify(problem) !== JSON.stringify(this.problem.problem)) {
      this.problem = problem === undefined ? {} : { problem };
      this.viewChanged();
    }
  }

  runAgents(run: string, phase: string): readonly RunAgentView[] {
    const [source, state] = [this.source(), this.log('').transcript.state()];
    const runs = toRunViews(source, state, toThreadViews(source, state, this.view.status, true), Number.POSITIVE_INFINITY);
    return runs.find(({ id }) => id === run)?.phases.find(({ id }) => id === phase)?.shown ?? [];
  }

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
    return this.logs.threads;
  }

  get primaryThread(): string | undefined {
    return this.view.threads.find(({ isPrimary }) => isPrimary)?.id || undefined;
  }

  /** Finds an event by its ID in everything that was read, then in the log of its thread. Returns `undefined` if the event is not found. */
  async findEvent(id: string, thread: string | undefined, signal: AbortSignal): Promise<TranscriptEvent | undefined> {
    const others = this.view.threads.filter(({ isPrimary }) => !isPrimary).map(other => other.id);
    const logs = (thread === undefined ? others : [thread]).map(one => this.eventLog(one));
    return this.logs.eventOf(id) ?? (await findNewest(logs, id, signal));
  }

  dispose(): void {
    this.isStarted = false;
    this.isDisposed = true;
    this.reader.dispose();
    this.timers.clear(this.hideTimer);
    this.stopLogs();
    this.changed.dispose();
  }

  private eventLog(thread: string): EventLog {
    return threadLogOf(() => this.options.access.read(), this.reference.sessionId, thread);
  }

  private source() {
    const { session = { id: this.reference.sessionId }, threads, files, vaultNames } = this.reader;
    const opened = new Set(this.logs.threads);
    return { session, threads, files, vaultNames, opened, isDeleted: this.reader.isDeleted, isPartial: this.log('').isPartial };
  }

  private stateChanged(thread: string, state: WatchState): void {
    if (thread === '') {
      if (isReading(state) || state.name === 'ended') {
        this.readSoon();
      }
      this.checkAvailability(state);
      this.viewChanged();
    }
    if (thread === this.logs.shown) {
      this.changed.fire({ type: 'connection' });
    }
  }

  /** Updates whether the session exists and can be streamed, according to the watch of its own log. Logs why the watch ended. */
  private checkAvailability(state: WatchState): void {
    const { reader, timers } = this;
    if (isReading(state)) {
      this.isPolled = false;
      reader.isDeleted = false;
    } else if (state.name === 'ended' && state.reason === 'deleted') {
      reader.isDeleted = true;
    } else if (state.name === 'ended' && state.reason === 'unsupported' && reader.session !== undefined) {
      this.isPolled = true;
      timers.clear(this.pollTimer);
      this.pollTimer = timers.set(() => {
        if (!reader.isDeleted && this.isVisible) {
          this.startLogs();
        }
      }, pollInterval);
    }
    if (state.name === 'live') {
      this.loggedProblem = '';
    } else if (state.name === 'ended' && state.error !== undefined) {
      const problem = describeError(state.error);
      if (problem !== this.loggedProblem) {
        this.loggedProblem = problem;
        this.options.warn(`Session ${this.reference.sessionId} is no longer watched: ${problem}`);
      }
    }
  }

  viewChanged(): void {
    this.views.outdate();
    this.changed.fire({ type: 'view' });
  }

  private block(reason: string | undefined): void {
    if (reason !== this.blocked) {
      this.blocked = reason;
      this.changed.fire({ type: 'connection' });
    }
  }

  /** Watches the session's own log and the displayed thread, if possible. Other threads continue when they are shown. */
  private startLogs(): void {
    if (this.isDisposed || !this.isStarted || this.blocked !== undefined) {
      return;
    }
    this.setUp = this.options.access.setUp;
    this.logs.start();
    this.readSoon();
  }

  private stopLogs(): void {
    this.logs.stop();
    this.timers.clear(this.pollTimer);
    this.reader.rest();
  }

  private wasRead(): void {
    const primary = this.reader.threads?.find(thread => thread.parent_thread_id === null);
    if (primary !== undefined) {
      this.log('').setShownThread(primary.id);
    }
    this.viewChanged();
    // No event reports that a session was archived or deleted.
    this.logs.setClosed(this.view.state === 'archived' || this.view.state === 'deleted');
    this.changed.fire({ type: 'connection' });
  }
}

/** Returns the state of a watch for the panel's header. `isKnown` is true once the service has returned the session itself. */
function toConnectionView(state: WatchState, now: number, isKnown: boolean, t: Translate): ConnectionView {
  switch (state.name) {
    case 'connecting':
    case 'live':
      return { name: state.name };
    case 'catchingUp':
      return { name: 'catchingUp', events: state.events };
    case 'polling':
      return { name: 'polling', everySeconds: Math.round(state.everyMs / 1000) };
    case 'reconnecting':
      return { name: 'reconnecting', retryInMs: Math.max(0, state.retryAt - now), problem: toProblem(state.error, t) };
    case 'ended':
      return { name: 'ended', reason: toReason(state, isKnown, t) };
  }
}

function toReason({ reason, error }: Extract<WatchState, { name: 'ended' }>, isKnown: boolean, t: Translate): string {
  switch (reason) {
    case 'deleted':
      return t('The session was deleted.');
    case 'closed':
      return error === undefined ? t('The connection was closed.') : toProblem(error, t);
    case 'unsupported':
      return isKnown ? t("This thread isn't updated live.") : t('Session not found. {0}', toProblem(error, t));
    case 'refused':
      return toProblem(error, t);
  }
}

function toProblem(error: unknown, t: Translate): string {
  // A response may quote the request, or contain secrets of the service.
  return error === undefined ? t('The connection was closed.') : redact(describeError(error));
}
