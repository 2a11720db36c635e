import { errorKind, readErrorBody } from './errorAnswer';
import type { ServiceErrorKind } from './errors';
import { parseJson, parseJsonText, readBytes } from './responseBody';
import type { MessageStreamEvent } from './schemas/messageStream';
import { EventReader } from './sse';
import type { StreamedAnswer } from './transport';

/**
 * The events of a streamed message, told apart by the `type` inside their data. `ping` and unknown types are given too; an
 * `error` event is thrown as a `ServiceError`, a stream that ends before `message_stop` as a `ConnectionLostError`. Throws at
 * once when the answer is no stream of events.
 */
export async function readMessageEvents(answer: StreamedAnswer): Promise<AsyncIterableIterator<MessageStreamEvent, void, undefined>> {
  const { failures, contentType } = answer;
  if (contentType !== '' && !/event-stream/i.test(contentType)) {
    throw await notAStream(answer);
  }
  let stopped = false;
  return new EventReader(answer.body, {
    toItem: ({ data }) => {
      const event = toEvent(data);
      if (event === undefined) {
        throw failures.error('not_json', 'unknown', `An event of the stream from ${failures.what} is not a JSON object`);
      }
      if (event.type === 'error') {
        throw streamError(answer, data);
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

function streamError({ failures }: StreamedAnswer, data: string) {
  const words = readErrorBody(failures.conceal(data));
  const named = words.errorType ?? 'an error';
  // The status of the answer was 200: only the type can say what it is.
  const byType: ServiceErrorKind = errorKind(0, words.errorType);
  const kind = byType === 'other_status' ? 'stream_error' : byType;
  const said = words.message === undefined ? '' : `: ${words.message}`;
  return failures.error(kind, 'unknown', `${failures.what} broke off with ${named}${said}`, {
    errorType: words.errorType,
    serviceMessage: words.message,
    requestId: words.requestId,
  });
}

async function notAStream({ failures, body, contentType }: StreamedAnswer): Promise<unknown> {
  try {
    parseJson(await readBytes(body, 1024 * 1024));
  } catch {
    return failures.notJson(200, contentType);
  }
  return failures.error(
    'mismatch',
    'unknown',
    `The answer to ${failures.what} is one JSON object where a stream of events was asked for; the service does not stream`,
  );
}
