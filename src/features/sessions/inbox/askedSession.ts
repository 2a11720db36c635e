import type { Disposable, Event } from 'vscode';
import type { EventLog, SessionEvent } from '../../../client/events/eventLog';
import { watchEvents } from '../../../client/events/eventStream';
import type { Session, Sessions, SessionThread } from '../../../client/resources/sessions';
import { ServiceError } from '../../../client/transport/errors';
import type { Clock } from '../../../common/clock';
import { Emitter } from '../../../common/emitter';
import { realTimers } from '../../../common/lists/poller';
import type { Translate } from '../../../common/text/translate';
import type { SessionReference } from '../../../contributions';
import type { TranscriptEvent } from '../../../shared/session/event';
import { textOf } from '../../../shared/session/eventFields';
import type { SessionView } from '../../../shared/session/sessionView';
import type { Transcript } from '../../../shared/session/transcript';
import { nextAskLog, toLogFacts } from '../facts/askLog';
import { readAsks } from '../facts/readAsks';
import type { SessionFacts } from '../facts/sessionFacts';
import { findNewest, threadLogOf } from '../facts/wholeLog';
import type { ConversedSession } from '../live/conversation';
import { createSessionView } from '../live/createSessionView';
import { CachedValue, translatedView } from '../live/panelSource';
import { ThreadLog } from '../live/threadLog';

interface AskedSessionOptions {
  readonly reference: SessionReference;
  /** Returns the sessions API of the connection, for reading. Throws while the connection can't be used. */
  readonly sessions: () => Promise<Sessions>;
  readonly t: Translate;
  /** Called when a sent answer may have changed the session. */
  readonly onStale: () => void;
  readonly onGone: () => void;
  /** Store of the facts that are read, so that the list and the badge agree with them. */
  readonly facts: Pick<SessionFacts, 'take' | 'setLog' | 'logOf'>;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** Session without a panel. Each read requests its state, and its events back to the oldest call that waits for an answer. */
export class AskedSession implements ConversedSession, Disposable {
  readonly reference: SessionReference;
  private readonly changed = new Emitter<void>();
  readonly onDidChange: Event<void> = this.changed.event;
  private readonly lifetime = new AbortController();
  private readonly ownLog: ThreadLog;
  private readonly views: CachedValue<SessionView>;
  private session: Session | undefined;
  private threads: readonly SessionThread[] | undefined;
  /** Event IDs of the open asks, according to all events that were read. */
  private open: ReadonlySet<string> = new Set();
  private isMissed = false;
  private isDeleted = false;

  constructor(private readonly options: AskedSessionOptions) {
    this.reference = options.reference;
    this.ownLog = new ThreadLog({
      thread: '',
      timers: realTimers,
      log: this.eventLog(''),
      watch: watchEvents,
      previews: () => undefined,
      onRows: () => this.viewChanged(),
      onText: () => undefined,
      onEvents: () => undefined,
      onState: () => undefined,
    });
    this.views = new CachedValue(() => {
      const session = this.session ?? { id: this.reference.sessionId };
      const source = { session, threads: this.threads, files: [], isDeleted: this.isDeleted };
      const state = this.ownLog.transcript.state();
      // Older events may list asks that have ended since.
      const asks = state.asks.filter(ask => ask.answering === true || this.open.has(ask.eventId));
      return translatedView(createSessionView(source, { ...state, asks }), options.t);
    });
  }

  get view(): SessionView {
    return this.views.current;
  }

  get described(): { readonly threads?: readonly SessionThread[] } {
    return this.threads === undefined ? {} : { threads: this.threads };
  }

  get openThreads(): readonly string[] {
    return [''];
  }

  get primaryThread(): string | undefined {
    return this.threads?.find(({ parent_thread_id }) => parent_thread_id === null)?.id;
  }

  transcript(thread: string): Transcript | undefined {
    return thread === '' ? this.ownLog.transcript : undefined;
  }

  log(): ThreadLog {
    return this.ownLog;
  }

  readSoon(): void {
    this.options.onStale();
  }

  /** Reads the session now. Rejects if the request fails. Known facts stay then. */
  async read(): Promise<void> {
    const { signal } = this.lifetime;
    const { reference } = this;
    const { sessionId } = reference;
    const { facts, clock, onGone } = this.options;
    const asOf = clock.monotonic();
    const sessions = await this.options.sessions();
    try {
      const { data } = await sessions.retrieve(sessionId, { signal });
      this.isMissed = false;
      this.session = data;
    } catch (error) {
      // A gateway can report a single 404, so a session counts as deleted only after a second 404.
      if (!signal.aborted && error instanceof ServiceError && error.status === 404 && (this.isMissed || this.session === undefined)) {
        this.isDeleted = true;
        onGone();
        this.viewChanged();
        return;
      }
      this.isMissed = error instanceof ServiceError && error.status === 404;
      throw error;
    }
    const known = facts.logOf(reference)?.log;
    const read = await readAsks(sessions, sessionId, signal, known);
    // The events that show the open asks may be older than the events just read.
    const ids = new Set(read.events.map(({ id }) => id));
    const older = read.isWhole ? [] : (known?.evidence ?? []).filter(({ id }) => !ids.has(textOf(id)));
    await this.readThreads(sessions, [...older, ...read.events]);
    if (!signal.aborted) {
      this.open = new Set(nextAskLog(known, read).asks.map(({ eventId }) => eventId));
      this.ownLog.show([...older, ...read.events]);
      facts.take(reference.connection, [this.session], asOf);
      facts.setLog(reference, this.session, toLogFacts(read, facts.logOf(reference)?.log), asOf);
    }
    this.viewChanged();
  }

  async findEvent(id: string, thread: string | undefined, signal: AbortSignal): Promise<TranscriptEvent | undefined> {
    const known = this.ownLog.transcript.eventOf(id);
    if (known !== undefined) {
      return known;
    }
    const others = (this.threads ?? []).filter(one => one.id !== this.primaryThread).map(one => one.id);
    const searched = thread === undefined ? ['', ...others] : [thread, ''];
    return await findNewest(
      searched.map(one => this.eventLog(one)),
      id,
      signal,
    );
  }

  dispose(): void {
    this.lifetime.abort();
    this.changed.dispose();
  }

  /** Reads the threads once, and again when an unknown thread asks. The card shows the names of threads, and an answer names its thread. */
  private async readThreads(sessions: Sessions, events: readonly SessionEvent[]): Promise<void> {
    const known = new Set(this.threads?.map(({ id }) => id));
    const isNew = events.some(({ session_thread_id: id }) => typeof id === 'string' && !known.has(id));
    if (this.threads === undefined || isNew) {
      try {
        this.threads = (await sessions.listThreads(this.reference.sessionId, { signal: this.lifetime.signal })).items;
        const primary = this.primaryThread;
        if (primary !== undefined) {
          this.ownLog.setShownThread(primary);
        }
      } catch {
        // If the threads can't be listed, asking threads are shown by their IDs.
        this.threads ??= [];
      }
    }
  }

  private eventLog(thread: string): EventLog {
    return threadLogOf(this.options.sessions, this.reference.sessionId, thread);
  }

  viewChanged(): void {
    this.views.outdate();
    this.changed.fire();
  }
}
