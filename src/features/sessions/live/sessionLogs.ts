import type { TranscriptEvent } from '../../../shared/session/event';
import type { ThreadLog } from './threadLog';

/** Maximum number of concurrent streams, including that of the session itself. */
const maxStreams = 4;

/** Logs of the opened threads of a session; '' is the session's own. */
export class SessionLogs {
  private readonly logs = new Map<string, ThreadLog>();
  private showings = 0;
  shown = '';
  private isClosed = false;

  constructor(private readonly create: (thread: string) => ThreadLog) {}

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
      this.logs.set(thread, log);
      log.setClosed(this.isClosed);
    }
    return log;
  }

  /** Marks the session as ended or not ended, whatever its events say. */
  setClosed(isClosed: boolean): void {
    this.isClosed = isClosed;
    for (const log of this.logs.values()) {
      log.setClosed(isClosed);
    }
  }

  show(thread: string, isWatching: boolean): void {
    this.shown = thread;
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
    this.of(this.shown).start();
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

  /** Finds an event by its ID in everything that was read. */
  eventOf(id: string): TranscriptEvent | undefined {
    return [...this.logs.values()].map(log => log.transcript.eventOf(id)).find(event => event !== undefined);
  }

  /** Stops watching the least recently shown threads if there are too many. */
  private restSome(): void {
    const others = [...this.logs].filter(([thread, log]) => thread !== '' && log.isWatched).map(([, log]) => log);
    others.sort((a, b) => b.lastShown - a.lastShown);
    for (const log of others.slice(maxStreams - 1)) {
      log.stop();
    }
  }
}
