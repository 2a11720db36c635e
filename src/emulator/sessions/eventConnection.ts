import type { EmulatorClock } from '../emulatorClock';
import { ConnectionCut } from '../http/serverExchange';
import type { EventLog, LogNews } from './eventLog';
import type { StreamFaults } from './streamFaults';

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
  /** Characters that may wait for a slow reader before it is cut. */
  readonly backlog: number;
  /** Called when that is exceeded: nothing more gets through in an orderly way. */
  readonly onTooSlow: () => void;
  readonly endsWithLog: boolean;
  readonly faults: StreamFaults;
  /** Milliseconds after which the service ends the stream; undefined for never. */
  readonly lifetime: number | undefined;
}

/**
 * What one stream of events says: a comment at once, then every event that is stored from now on, and signs of life in between.
 * There is no replay and no id (API facts, section 9). Frames that come while the reader is slow are joined; one that falls too
 * far behind is cut, whatever waits for it.
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

  /** The stream; what is stored after this was called is in it. The iteration throws `ConnectionCut` where the connection is to be cut. */
  open(): AsyncGenerator<Buffer, void, void> {
    const { log, signal, clock, lifetime } = this.#options;
    const forget = log.listen(news => this.#hear(news));
    const end = () => {
      forget();
      this.#stop('ended');
    };
    const cancelEnd = lifetime === undefined ? () => undefined : clock.at(clock.now() + lifetime, async () => end());
    signal.addEventListener('abort', end, { once: true });
    return this.#pieces(() => {
      cancelEnd();
      signal.removeEventListener('abort', end);
      forget();
    });
  }

  /** Cuts the connection after what is on its way. */
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

  /** Settles when there is something to say, at the latest a sign of life. */
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
        const frame = `event: ${type}\ndata: ${json}\n\n`;
        if (faults.isNone) {
          this.#add(frame);
        } else {
          this.#addFaulty(frame);
        }
      }
    }
  }

  #addFaulty(frame: string): void {
    for (const one of this.#options.faults.framesFor(frame)) {
      if (typeof one === 'string') {
        this.#add(one);
      } else {
        this.#stop('cut');
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
