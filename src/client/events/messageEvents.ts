import type { MessageStreamEvent } from '../schemas/messageStreamEventSchema';
import { parseJsonText } from '../transport/responseBody';
import type { StreamedResponse } from '../transport/transport';
import { EventReader } from './sse';
import { demandStream, toStreamError } from './streamResponse';

/**
 * Returns the events of a streamed message by the `type` inside their data. Yields `ping` and unknown types too. Throws a `ServiceError`
 * for an `error` event, one of kind `connection_lost` if the stream ends before `message_stop`, and at once if the response is not an event
 * stream.
 */
export async function readMessageEvents(answer: StreamedResponse): Promise<AsyncIterableIterator<MessageStreamEvent, void, undefined>> {
  const { failures } = answer;
  await demandStream(answer);
  let stopped = false;
  return new EventReader(answer.body, {
    toItem: ({ data }) => {
      const event = toEvent(data);
      if (event === undefined) {
        throw failures.error('not_json', 'unknown', `An event of the stream from ${failures.what} is not a JSON object`);
      }
      if (event.type === 'error') {
        throw toStreamError(answer, data);
      }
      stopped ||= event.type === 'message_stop';
      return event;
    },
    tooLarge: () => failures.error('too_large', 'unknown', `An event of the stream from ${failures.what} is larger than 32 MiB`),
    atEnd: () => {
      if (!stopped) {
        throw failures.error(
          'connection_lost',
          'unknown',
          `The stream from ${failures.what} ended before the message was whole; what arrived of it is not all`,
        );
      }
    },
  });
}

function toEvent(data: string): MessageStreamEvent | undefined {
  try {
    const value = parseJsonText(data);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return undefined;
    }
    const typed = value as { type?: unknown };
    return typeof typed.type === 'string' ? (typed as MessageStreamEvent) : { ...typed, type: '' };
  } catch {
    return undefined;
  }
}
