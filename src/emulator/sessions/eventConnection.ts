import type { EmulatorClock } from '../emulatorClock';
import { ConnectionCut } from '../http/serverExchange';
import type { EventLog, LogNews } from './eventLog';
import type { StreamFaults } from './streamFaults';

interface ConnectionOptions {
  readonly log: EventLog;
  readonly clock: EmulatorClock;
  readonly signal: AbortSignal;
  /** Types for which the client requested previews. */
  readonly previews: ReadonlySet<string>;
  /** Silence after which a keep-alive is sent, in milliseconds. */
  readonly keepalive: number;
  /** Sends `event: ping` instead of a comment. */
  readonly namedPings: boolean;
  /** Maximum number of characters buffered for a slow reader. */
  readonly backlog: number;
  /** Called when the buffer is full: the connection can't be closed in an orderly way. */
  readonly onTooSlow: () => void;
  readonly endsWithLog: boolean;
  readonly faults: StreamFaults;
  /** Time after which the service ends the stream, in milliseconds. `undefined` if it never does. */
  readonly lifetime: number | undefined;
}

/**
 * One event stream: a comment immediately, then every event stored from now on, with keep-alives in between. There is no replay and no id
 * (API facts, section 9). Frames that arrive while the reader is slow are joined. A stream that falls too far behind is closed, dropping
 * all pending frames.
 */
export class EventConnection {
  readonly #options: ConnectionOptions;
  #frames: string[] = [];
  #waiting = 0;
  #end: 'ended' | 'cut' | undefined;
  #wake: () => void = () => undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /**
   * Opens the stream, which includes everything stored after this call. The iteration throws `ConnectionCut` if the connection must be
   * closed.
   */
  open(): AsyncGenerator<Buffer, void, void> {
    const { log, signal, clock, lifetime } = this.#options;
    const unlisten = log.listen(news => this.#hear(news));
    const end = () => {
      unlisten();
      this.#stop('ended');
    };
    const cancelEnd = lifetime === undefined ? () => undefined : clock.at(clock.now() + lifetime, async () => end());
    signal.addEventListener('abort', end, { once: true });
    return this.#pieces(() => {
      cancelEnd();
      signal.removeEventListener('abort', end);
      unlisten();
    });
  }

  /** Closes the connection after the pending frames. */
  cut(): void {
    this.#stop('cut');
  }

  async *#pieces(close: () => void): AsyncGenerator<Buffer, void, void> {
    try {
      yield Buffer.from(': connected\n\n');
      for (;;) {
        if (this.#frames.length > 0) {
          const piece = Buffer.from(this.#frames.join(''));
          this.#frames = [];
          this.#waiting = 0;
          yield piece;
        } else if (this.#end === 'ended') {
          this.#options.signal.throwIfAborted();
          return;
        } else if (this.#end === 'cut') {
          throw new ConnectionCut('The stream was cut.');
        } else {
          await this.#sleep();
        }
      }
    } finally {
      close();
    }
  }

  /** Resolves when there is something to send, at the latest a keep-alive. */
  async #sleep(): Promise<void> {
    const { clock, keepalive, namedPings } = this.#options;
    const life = namedPings ? 'event: ping\ndata: {"type":"ping"}\n\n' : ': keepalive\n\n';
    const cancel = clock.at(clock.now() + keepalive, async () => this.#add(life));
    await new Promise<void>(resolve => {
      this.#wake = resolve;
    });
    cancel();
  }

  #hear(news: readonly LogNews[]): void {
    const { previews, faults, endsWithLog } = this.#options;
    if (news.length === 0 && endsWithLog) {
      this.#stop('ended');
    }
    for (const { type, json, previewOf } of news) {
      if (previewOf === undefined || previews.has(previewOf)) {
        for (const frame of faults.framesFor(`event: ${type}\ndata: ${json}\n\n`)) {
          if (typeof frame === 'string') {
            this.#add(frame);
          } else {
            this.#stop('cut');
          }
        }
      }
    }
  }

  #add(frame: string): void {
    if (this.#end !== undefined) {
      return;
    }
    this.#frames.push(frame);
    this.#waiting += frame.length;
    if (this.#waiting > this.#options.backlog) {
      this.#frames = [];
      this.#end = 'cut';
      this.#options.onTooSlow();
    }
    this.#wake();
  }

  #stop(how: 'ended' | 'cut'): void {
    this.#end ??= how;
    this.#wake();
  }
}
