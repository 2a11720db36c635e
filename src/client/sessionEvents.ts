import { parseJson, parseJsonText, readBytes } from './responseBody';
import { decodeTolerantly } from './schemas/decode';
import { type SessionEvent, sessionEventSchema } from './schemas/sessionEvents';
import type { SessionEventStream } from './serviceClient';
import { EventReader } from './sse';
import type { StreamedAnswer } from './transport';

/**
 * The events of a session's stream, told apart by the `type` inside their data, whatever the `event:` line says. Nothing is
 * dropped: an event that is no JSON object comes as one of type `unreadable` with its text. Throws at once when the answer is
 * no stream of events.
 */
export async function readSessionEvents(answer: StreamedAnswer): Promise<SessionEventStream> {
  const { failures, contentType } = answer;
  if (contentType !== '' && !/event-stream/i.test(contentType)) {
    throw await notAStream(answer);
  }
  let receivedBytes = 0;
  const counted = async function* () {
    for await (const piece of answer.body) {
      receivedBytes += piece.byteLength;
      yield piece;
    }
  };
  const events = new EventReader<SessionEvent>(counted(), {
    toItem: ({ data, event }) => toSessionEvent(data, event),
    tooLarge: () => failures.error('too_large', 'unknown', `An event of the stream from ${failures.what} is larger than 32 MiB`),
  });
  return {
    requestId: answer.requestId,
    get receivedBytes() {
      return receivedBytes;
    },
    [Symbol.asyncIterator]: () => events,
  };
}

function toSessionEvent(data: string, event: string | undefined): SessionEvent {
  try {
    const value = parseJsonText(data);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      const typed = typeof (value as { type?: unknown }).type === 'string' ? value : { ...value, type: event ?? '' };
      return decodeTolerantly(sessionEventSchema, typed) ?? { type: 'unreadable', text: data };
    }
  } catch {
    // What cannot be read is shown as it came.
  }
  return { type: 'unreadable', text: data };
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
