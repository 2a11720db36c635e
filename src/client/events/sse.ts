import { createParser } from 'eventsource-parser';

/** One event of a stream: its fields as the service sent them. `id` is the last one seen, as browsers count it. */
export interface ServerSentEvent {
  readonly event: string | undefined;
  readonly id: string | undefined;
  readonly data: string;
}

/** An event larger than the decoder takes. */
export class EventTooLargeError extends Error {
  override readonly name = 'EventTooLargeError';
}

const defaultMaxEvent = 32 * 1024 * 1024;

/**
 * Bytes of an event stream to events, fed in pieces cut anywhere. `onEvent` is called within `feed`; `feed` throws
 * `EventTooLargeError` when one event is larger than `maxEvent` characters. What the stream leaves unfinished at its end is
 * no event.
 */
export class ServerSentEventDecoder {
  /** The last id the stream gave, kept over events without one, for a reconnect. */
  lastId: string | undefined;
  /** Milliseconds the service asked to wait before a reconnect. */
  retry: number | undefined;
  // Without `ignoreBOM` the decoder would also take a BOM that stands in the middle of the stream, at the start of a piece.
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
        // The parser's own object, made for this call: another for each event would cost as much as a check of its fields.
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

/** What to make of the events of a stream. Either may throw: what was read before is given first, then the iteration fails. */
export interface EventMapping<T> {
  readonly toItem: (event: ServerSentEvent) => T;
  /** Called when the stream ended well. */
  readonly atEnd?: () => void;
  /** The error for an event that is too large; an `EventTooLargeError` without it. */
  readonly tooLarge?: () => unknown;
  readonly maxEvent?: number;
}

/**
 * The events of a body as an iteration, for one reader. It is written out because an async generator costs more per small event
 * than parsing it does. Leaving the iteration early leaves the body too.
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

  /** The last id the stream gave, and the pause it asked for before a reconnect. */
  get reconnection(): { readonly lastId: string | undefined; readonly retry: number | undefined } {
    const { lastId, retry } = this.decoder;
    return { lastId, retry };
  }

  /** Takes the events that have arrived and were not asked for yet. */
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
