import type { watchEvents } from '../../../../client/events/eventStream';
import type { WatchState } from '../../../../client/events/watchUpdates';
import type { EventLog } from '../../../../client/serviceClient';
import type { Timers } from '../../../../common/lists/poller';
import type { TranscriptEvent } from '../../../../shared/session/event';
import type { RowSplice } from '../../../../shared/session/rows/rows';
import { readNewest } from '../../exporting/wholeLog';
import type { SessionAccess } from './sessionAccess';
import { ThreadLog, type ThreadLogOptions } from './threadLog';

export interface SessionLogsOptions {
  readonly sessionId: string;
  readonly access: Pick<SessionAccess, 'read'>;
  readonly watch: typeof watchEvents;
  readonly timers: Timers;
  /** Event types that are previewed while they are made; undefined for none. */
  readonly previews: () => readonly string[] | undefined;
  readonly onRows: (thread: string, splices: readonly RowSplice[]) => void;
  readonly onText: (thread: string, ...added: Parameters<ThreadLogOptions['onText']>) => void;
  readonly onState: (thread: string, state: WatchState) => void;
  readonly onEvents: (thread: string, ...come: Parameters<ThreadLogOptions['onEvents']>) => void;
}

/** Streams of threads at once, that of the session itself among them. */
const maxStreams = 4;
/** Newest events of a thread that nobody opened in which a call is looked for. */
const searched = 5000;

/** The logs of the threads of a session that were opened; '' is the session's own. */
export class SessionLogs {
  private readonly logs = new Map<string, ThreadLog>();
  private showings = 0;
  private shownThread = '';
  private isClosed = false;

  constructor(private readonly options: SessionLogsOptions) {}

  /** The thread that is shown. */
  get shown(): string {
    return this.shownThread;
  }

  get threads(): readonly string[] {
    return [...this.logs.keys()];
  }

  get(thread: string): ThreadLog | undefined {
    return this.logs.get(thread);
  }

  /** Log of a thread, made when first asked for. */
  of(thread: string): ThreadLog {
    let log = this.logs.get(thread);
    if (log === undefined) {
      log = this.create(thread);
      log.setClosed(this.isClosed);
      this.logs.set(thread, log);
    }
    return log;
  }

  /** The session has ended though its events do not say so, or it goes on after all. */
  setClosed(isClosed: boolean): void {
    this.isClosed = isClosed;
    for (const log of this.logs.values()) {
      log.setClosed(isClosed);
    }
  }

  /** A thread is shown, and watched where anything is. */
  show(thread: string, isWatching: boolean): void {
    this.shownThread = thread;
    const log = this.of(thread);
    log.lastShown = ++this.showings;
    if (isWatching) {
      log.start();
      this.restSome();
    }
  }

  /** Watches the session's own log and the thread that is shown; others begin again when they are shown. */
  start(): void {
    this.of('').start();
    this.of(this.shownThread).start();
    this.restSome();
  }

  stop(): void {
    for (const log of this.logs.values()) {
      log.stop();
    }
  }

  retryNow(): void {
    for (const log of this.logs.values()) {
      if (log.isWatched) {
        log.retryNow();
      }
    }
  }

  /** An event by its id, from whatever was read; else from the newest of the logs of some threads. */
  async findEvent(id: string, threads: readonly string[], signal: AbortSignal): Promise<TranscriptEvent | undefined> {
    for (const log of this.logs.values()) {
      const event = log.transcript.eventOf(id);
      if (event !== undefined) {
        return event;
      }
    }
    for (const place of threads) {
      const event = (await readNewest(this.eventLog(place), signal, searched)).find(candidate => candidate.id === id);
      if (event !== undefined) {
        return event;
      }
    }
    return undefined;
  }

  private create(thread: string): ThreadLog {
    const { watch, timers, previews, onRows, onText, onState, onEvents } = this.options;
    return new ThreadLog({
      ...{ thread, log: this.eventLog(thread), watch, timers, previews },
      onRows: splices => onRows(thread, splices),
      onText: (...added) => onText(thread, ...added),
      onState: state => onState(thread, state),
      onEvents: (...come) => onEvents(thread, ...come),
    });
  }

  /** The service's log of a thread, over the connection as it is when it is asked. */
  private eventLog(thread: string): EventLog {
    const { access, sessionId } = this.options;
    const reach = async () => {
      const sessions = await access.read();
      return thread === '' ? sessions.events(sessionId) : sessions.threadEvents(sessionId, thread);
    };
    return { list: async options => (await reach()).list(options), stream: async options => (await reach()).stream(options) };
  }

  /** Ends the watches of the threads that were shown longest ago when there are too many. */
  private restSome(): void {
    const others = [...this.logs].filter(([thread, log]) => thread !== '' && log.isWatched).map(([, log]) => log);
    others.sort((a, b) => b.lastShown - a.lastShown);
    for (const log of others.slice(maxStreams - 1)) {
      log.stop();
    }
  }
}
