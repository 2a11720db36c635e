import type { EmulatorClock } from '../clock';
import type { EventLog, LogNews } from './eventLog';

interface ConnectionOptions {
  readonly log: EventLog;
  readonly clock: EmulatorClock;
  readonly signal: AbortSignal;
  /** Types whose previews the client asked for. */
  readonly previews: ReadonlySet<string>;
  /** Milliseconds of silence after which a sign of life is sent. */
  readonly keepalive: number;
  /** Sends `event: ping` where others send a comment. */
  readonly namedPings: boolean;
  /** Bytes that may wait for a slow reader before it is cut. */
  readonly backlog: number;
  readonly endsWithLog: boolean;
}

/**
 * What one stream of events says: a comment at once, then every event that is stored from now on, and signs of life in between.
 * There is no replay and no id (API facts, section 9). Frames that come while the reader is slow are joined; one that falls too
 * far behind is cut: the iteration throws.
 */
export class EventConnection {
  readonly #options: ConnectionOptions;
  #frames: string[] = [];
  #waiting = 0;
  #hasEnded = false;
  #isTooSlow = false;
  #wake: () => void = () => undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** The stream; what is stored after this was called is in it. */
  open(): AsyncGenerator<Buffer, void, void> {
    const { log, signal } = this.#options;
    const forget = log.listen(news => this.#hear(news));
    const end = () => {
      forget();
      this.#hasEnded = true;
      this.#wake();
    };
    signal.addEventListener('abort', end, { once: true });
    return this.#pieces(() => {
      signal.removeEventListener('abort', end);
      forget();
    });
  }

  async *#pieces(close: () => void): AsyncGenerator<Buffer, void, void> {
    let cancelAlarm = () => {};
    try {
      yield Buffer.from(': connected\n\n');
      while (!this.#isTooSlow) {
        if (this.#frames.length > 0) {
          const piece = Buffer.from(this.#frames.join(''));
          this.#frames = [];
          this.#waiting = 0;
          yield piece;
        } else if (this.#hasEnded) {
          return;
        } else {
          cancelAlarm = this.#setAlarm();
          await new Promise<void>(resolve => {
            this.#wake = resolve;
          });
          cancelAlarm();
        }
      }
      throw new Error('The reader of a stream fell too far behind.');
    } finally {
      cancelAlarm();
      close();
    }
  }

  #setAlarm(): () => void {
    const { clock, keepalive, namedPings } = this.#options;
    return clock.at(clock.now() + keepalive, async () =>
      this.#add(namedPings ? 'event: ping\ndata: {"type":"ping"}\n\n' : ': keepalive\n\n'),
    );
  }

  #hear(news: readonly LogNews[]): void {
    if (news.length === 0) {
      this.#hasEnded = this.#options.endsWithLog;
      this.#wake();
      return;
    }
    for (const { type, json, previewOf } of news) {
      if (previewOf === undefined || this.#options.previews.has(previewOf)) {
        this.#add(`event: ${type}\ndata: ${json}\n\n`);
      }
    }
  }

  #add(frame: string): void {
    this.#frames.push(frame);
    this.#waiting += frame.length;
    if (this.#waiting > this.#options.backlog) {
      this.#isTooSlow = true;
      this.#frames = [];
    }
    this.#wake();
  }
}
