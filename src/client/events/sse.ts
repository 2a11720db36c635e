import { createParser } from 'eventsource-parser';

/** One server-sent event with its fields as sent. `id` is the last one seen, as in browsers. */
export interface ServerSentEvent {
  readonly event: string | undefined;
  readonly id: string | undefined;
  readonly data: string;
}

/** Thrown for an event larger than the decoder accepts. */
export class EventTooLargeError extends Error {
  override readonly name = 'EventTooLargeError';
}

const defaultMaxEvent = 32 * 1024 * 1024;

/**
 * Decodes the bytes of an event stream, in chunks cut anywhere. Calls `onEvent` within `feed`. `feed` throws an `EventTooLargeError` if one
 * event has more than `maxEvent` characters. An unfinished event at the end is dropped.
 */
export class ServerSentEventDecoder {
  /** Last id of the stream, for a reconnect. Events without an id do not change it. */
  lastId: string | undefined;
  /** Delay that the service requested before a reconnect, in milliseconds. */
  retry: number | undefined;
  // Without `ignoreBOM` the decoder would also remove a BOM in the middle of the stream, at the start of a chunk.
  private readonly text = new TextDecoder('utf-8', { ignoreBOM: true });
  private readonly parser: ReturnType<typeof createParser>;
  private overflow = false;

  constructor(onEvent: (event: ServerSentEvent) => void, maxEvent = defaultMaxEvent) {
    this.parser = createParser({
      maxBufferSize: maxEvent,
      onId: id => {
        this.lastId = id;
      },
      onRetry: milliseconds => {
        this.retry = milliseconds;
      },
      onError: error => {
        this.overflow ||= error.type === 'max-buffer-size-exceeded';
      },
      onEvent: message => {
        // The parser makes this object for each call. Another one per event would cost as much as checking its fields.
        message.id = this.lastId;
        onEvent(message as ServerSentEvent);
      },
    });
  }

  feed(bytes: Uint8Array): void {
    this.parser.feed(this.text.decode(bytes, { stream: true }));
    if (this.overflow) {
      throw new EventTooLargeError('An event of the stream is too large');
    }
  }
}

/** Maps the events of a stream. Either function may throw: events read before are delivered first, then the iteration fails. */
export interface EventMapping<T> {
  readonly toItem: (event: ServerSentEvent) => T;
  /** Called when the stream ended normally. */
  readonly atEnd?: () => void;
  /** Returns the error for an event that is too large. An `EventTooLargeError` by default. */
  readonly tooLarge?: () => unknown;
  readonly maxEvent?: number;
}

/**
 * Events of a body as an iteration for one reader. Written by hand because an async generator costs more per small event than parsing does.
 * Leaving the iteration early closes the body.
 */
export class EventReader<T> implements AsyncIterableIterator<T, void, undefined> {
  receivedBytes = 0;
  private readonly source: AsyncIterator<Uint8Array>;
  private readonly decoder: ServerSentEventDecoder;
  private ready: T[] = [];
  private at = 0;
  private failure: { readonly error: unknown } | undefined;
  private ended = false;

  constructor(
    body: AsyncIterable<Uint8Array>,
    private readonly mapping: EventMapping<T>,
  ) {
    this.source = body[Symbol.asyncIterator]();
    this.decoder = new ServerSentEventDecoder(event => {
      if (this.failure !== undefined) {
        return;
      }
      try {
        this.ready.push(mapping.toItem(event));
      } catch (error) {
        this.failure = { error };
      }
    }, mapping.maxEvent);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<T, void>> {
    return this.at < this.ready.length ? Promise.resolve({ done: false, value: this.ready[this.at++] as T }) : this.refill();
  }

  /** Last id of the stream, and the delay it requested before a reconnect. */
  get reconnection(): { readonly lastId: string | undefined; readonly retry: number | undefined } {
    const { lastId, retry } = this.decoder;
    return { lastId, retry };
  }

  /** Returns events that have arrived and were not read yet. */
  takeArrived(): readonly T[] {
    const arrived = this.ready.slice(this.at);
    this.at = this.ready.length;
    return arrived;
  }

  async return(): Promise<IteratorResult<T, void>> {
    this.ended = true;
    this.ready = [];
    this.at = 0;
    await this.source.return?.();
    return { done: true, value: undefined };
  }

  private async refill(): Promise<IteratorResult<T, void>> {
    this.ready = [];
    this.at = 0;
    while (this.ready.length === 0 && this.failure === undefined && !this.ended) {
      const piece = await this.source.next();
      if (piece.done === true) {
        this.ended = true;
        this.guard(() => this.mapping.atEnd?.());
      } else {
        this.receivedBytes += piece.value.byteLength;
        this.guard(() => this.decoder.feed(piece.value));
      }
    }
    if (this.ready.length > 0) {
      return this.next();
    }
    const { failure } = this;
    if (failure !== undefined) {
      this.failure = undefined;
      await this.return();
      throw failure.error;
    }
    return { done: true, value: undefined };
  }

  private guard(step: () => void): void {
    try {
      step();
    } catch (error) {
      const tooLarge = error instanceof EventTooLargeError ? this.mapping.tooLarge?.() : undefined;
      this.failure ??= { error: tooLarge ?? error };
    }
  }
}
