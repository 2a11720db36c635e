import type { watchEvents } from '../../../client/events/eventStream';
import type { WatchState } from '../../../client/events/watchUpdates';
import type { EventLog } from '../../../client/serviceClient';
import type { Timers } from '../../../common/lists/poller';
import type { TranscriptEvent } from '../../../shared/session/event';
import { findNewest, threadLogOf } from '../facts/wholeLog';
import type { SessionAccess } from './sessionAccess';
import { ThreadLog, type ThreadLogOptions } from './threadLog';

export interface SessionLogsOptions {
  readonly sessionId: string;
  readonly access: Pick<SessionAccess, 'read'>;
  readonly watch: typeof watchEvents;
  readonly timers: Timers;
  readonly previews: () => readonly string[] | undefined;
  readonly onRows: (thread: string) => void;
  readonly onText: (thread: string) => void;
  readonly onState: (thread: string, state: WatchState) => void;
  readonly onEvents: (thread: string, ...come: Parameters<ThreadLogOptions['onEvents']>) => void;
}

/** Maximum number of concurrent streams, including that of the session itself. */
const maxStreams = 4;

/** Logs of the opened threads of a session; '' is the session's own. */
export class SessionLogs {
  private readonly logs = new Map<string, ThreadLog>();
  private showings = 0;
  private shownThread = '';
  private isClosed = false;

  constructor(private readonly options: SessionLogsOptions) {}

  get shown(): string {
    return this.shownThread;
  }

  get threads(): readonly string[] {
    return [...this.logs.keys()];
  }

  get(thread: string): ThreadLog | undefined {
    return this.logs.get(thread);
  }

  of(thread: string): ThreadLog {
    let log = this.logs.get(thread);
    if (log === undefined) {
      log = this.create(thread);
      log.setClosed(this.isClosed);
      this.logs.set(thread, log);
    }
    return log;
  }

  /** Marks the session as ended although its events don't say so, or undoes that. */
  setClosed(isClosed: boolean): void {
    this.isClosed = isClosed;
    for (const log of this.logs.values()) {
      log.setClosed(isClosed);
    }
  }

  show(thread: string, isWatching: boolean): void {
    this.shownThread = thread;
    const log = this.of(thread);
    log.lastShown = ++this.showings;
    if (isWatching) {
      log.start();
      this.restSome();
    }
  }

  /** Watches the session's own log and the displayed thread. Other threads continue when they are shown. */
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

  /** Finds an event by its id in everything that was read, then in the newest events of some threads. */
  async findEvent(id: string, threads: readonly string[], signal: AbortSignal): Promise<TranscriptEvent | undefined> {
    for (const log of this.logs.values()) {
      const event = log.transcript.eventOf(id);
      if (event !== undefined) {
        return event;
      }
    }
    return await findNewest(
      threads.map(thread => this.eventLog(thread)),
      id,
      signal,
    );
  }

  private create(thread: string): ThreadLog {
    const { watch, timers, previews, onRows, onText, onState, onEvents } = this.options;
    return new ThreadLog({
      ...{ thread, log: this.eventLog(thread), watch, timers, previews },
      onRows: () => onRows(thread),
      onText: () => onText(thread),
      onState: state => onState(thread, state),
      onEvents: (...come) => onEvents(thread, ...come),
    });
  }

  private eventLog(thread: string): EventLog {
    return threadLogOf(() => this.options.access.read(), this.options.sessionId, thread);
  }

  /** Stops the watches of the threads that were shown longest ago if there are too many. */
  private restSome(): void {
    const others = [...this.logs].filter(([thread, log]) => thread !== '' && log.isWatched).map(([, log]) => log);
    others.sort((a, b) => b.lastShown - a.lastShown);
    for (const log of others.slice(maxStreams - 1)) {
      log.stop();
    }
  }
}
