import { createParser } from 'eventsource-parser';

/** One server-sent event with its fields as sent. `id` is the latest id of the stream, as in browsers. */
export interface ServerSentEvent {
  readonly event: string | undefined;
  readonly id: string | undefined;
  readonly data: string;
}

const defaultMaxEvent = 32 * 1024 * 1024;

/** Functions that map the events of a stream. If a function throws, the events before are delivered, and the iteration fails. */
interface EventMapping<T> {
  readonly toItem: (event: ServerSentEvent) => T;
  /** Called when the stream ended normally. */
  readonly atEnd?: () => void;
  /** Returns the error for an event that has more than `maxEvent` characters. */
  readonly tooLarge: () => unknown;
  readonly maxEvent?: number;
}

/**
 * Parses the bytes of a stream into events for one reader. Chunks can be split anywhere. Written by hand, because an async generator costs
 * more per small event than parsing the event. An unfinished event at the end is dropped. Leaving the iteration early closes the body.
 */
export class EventReader<T> implements AsyncIterableIterator<T, void, undefined> {
  receivedBytes = 0;
  /** Last id of the stream, for a reconnect. Events without an id do not change it. */
  lastEventId: string | undefined;
  /** Delay that the service requested before a reconnect, in milliseconds. */
  retry: number | undefined;
  private readonly source: AsyncIterator<Uint8Array>;
  // Without `ignoreBOM` the decoder would also remove a BOM in the middle of the stream, at the start of a chunk.
  private readonly text = new TextDecoder('utf-8', { ignoreBOM: true });
  private readonly parser: ReturnType<typeof createParser>;
  private ready: T[] = [];
  private at = 0;
  private failure: { readonly error: unknown } | undefined;
  private ended = false;

  constructor(
    body: AsyncIterable<Uint8Array>,
    private readonly mapping: EventMapping<T>,
  ) {
    this.source = body[Symbol.asyncIterator]();
    this.parser = createParser({
      maxBufferSize: mapping.maxEvent ?? defaultMaxEvent,
      onId: id => {
        this.lastEventId = id;
      },
      onRetry: milliseconds => {
        this.retry = milliseconds;
      },
      onError: error => {
        if (error.type === 'max-buffer-size-exceeded') {
          this.failure ??= { error: mapping.tooLarge() };
        }
      },
      onEvent: message => {
        if (this.failure !== undefined) {
          return;
        }
        // Reuses the parser's object, because another object per event would cost as much as checking its fields.
        message.id = this.lastEventId;
        try {
          this.ready.push(mapping.toItem(message as ServerSentEvent));
        } catch (error) {
          this.failure = { error };
        }
      },
    });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<T, void>> {
    return this.at < this.ready.length ? Promise.resolve({ done: false, value: this.ready[this.at++] as T }) : this.refill();
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
      if (piece.done !== true) {
        this.receivedBytes += piece.value.byteLength;
        this.parser.feed(this.text.decode(piece.value, { stream: true }));
        continue;
      }
      this.ended = true;
      try {
        this.mapping.atEnd?.();
      } catch (error) {
        this.failure = { error };
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
}
