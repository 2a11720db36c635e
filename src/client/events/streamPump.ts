import type { SessionEvent, SessionEventStream } from './eventLog';
import { type Named, nameOf } from './eventNames';

const maxEvents = 20_000;
const maxBytes = 16 * 1024 * 1024;

/**
 * Reads a stream from the start. Buffers events until `goLive`, then passes them to `deliver`, one call per chunk. If the buffer overflows,
 * all buffered events are dropped, and `goLive` reports the loss. `restart` starts again.
 */
export class StreamPump {
  /** Settles when the stream is over. `error` is the reason, unless the service or `stop` ended it. Never rejects. */
  readonly over: Promise<{ readonly error?: unknown }>;
  private hasOverflowed = false;
  private buffer: Named[] = [];
  private buffered = 0;
  private deliver: ((events: readonly Named[], bytes: number) => Promise<void>) | undefined;
  private isHolding = false;
  private isStopped = false;
  private release: (() => void) | undefined;
  private readonly events: AsyncIterator<SessionEvent>;

  constructor(private readonly stream: SessionEventStream) {
    this.events = stream[Symbol.asyncIterator]();
    this.over = this.read();
  }

  /** Drops the buffer and starts again. With `hold`, a full buffer pauses reading instead of overflowing. */
  restart(hold: boolean): void {
    this.buffer = [];
    this.buffered = 0;
    this.hasOverflowed = false;
    this.isHolding = hold;
  }

  /**
   * Returns the buffered events and passes new events to `deliver` from now on. Returns `undefined` if events were dropped. The caller then
   * has to read the history again after a `restart`.
   */
  goLive(deliver: (events: readonly Named[], bytes: number) => Promise<void>): readonly Named[] | undefined {
    if (this.hasOverflowed) {
      return undefined;
    }
    const { buffer } = this;
    this.buffer = [];
    this.deliver = deliver;
    this.release?.();
    return buffer;
  }

  /** Stops reading. Nothing is delivered afterwards. */
  stop(): void {
    this.isStopped = true;
    this.release?.();
    this.leave();
  }

  private async read(): Promise<{ readonly error?: unknown }> {
    let bytes = 0;
    try {
      while (!this.isStopped) {
        const next = await this.events.next();
        if (next.done === true || this.isStopped) {
          break;
        }
        const { stream } = this;
        const events = [next.value, ...(stream.takeArrived?.() ?? [])].map(event => ({
          event,
          name: nameOf(event, stream.frameIdOf?.(event)),
        }));
        const received = stream.receivedBytes;
        await this.handle(events, received - bytes);
        bytes = received;
      }
      return {};
    } catch (error) {
      return this.isStopped ? {} : { error };
    } finally {
      this.leave();
    }
  }

  private async handle(events: readonly Named[], bytes: number): Promise<void> {
    if (this.deliver !== undefined) {
      return this.deliver(events, bytes);
    }
    if (this.hasOverflowed) {
      return;
    }
    this.buffered += bytes;
    this.buffer.push(...events);
    if (this.buffer.length < maxEvents && this.buffered < maxBytes) {
      return;
    }
    if (this.isHolding) {
      await new Promise<void>(resolve => {
        this.release = resolve;
      });
    } else {
      this.buffer = [];
      this.hasOverflowed = true;
    }
  }

  private leave(): void {
    this.events.return?.().catch(() => {});
  }
}
