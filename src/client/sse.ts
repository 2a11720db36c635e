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
      onEvent: ({ event, data }) => onEvent({ event, id: this.lastId, data }),
    });
  }

  feed(bytes: Uint8Array): void {
    this.parser.feed(this.text.decode(bytes, { stream: true }));
    if (this.overflow) {
      throw new EventTooLargeError('An event of the stream is too large');
    }
  }
}

/** The events of a body, in order. Leaving the iteration early leaves the body too. */
export async function* decodeEvents(body: AsyncIterable<Uint8Array>, maxEvent?: number): AsyncGenerator<ServerSentEvent, void, undefined> {
  let events: ServerSentEvent[] = [];
  const decoder = new ServerSentEventDecoder(event => events.push(event), maxEvent);
  for await (const bytes of body) {
    decoder.feed(bytes);
    if (events.length > 0) {
      const ready = events;
      events = [];
      yield* ready;
    }
  }
}
