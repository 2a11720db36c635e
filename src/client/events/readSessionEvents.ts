import { decodeTolerantly } from '../schemas/decode';
import { type SessionEvent, sessionEventSchema } from '../schemas/sessionEvents';
import type { SessionEventStream } from '../serviceClient';
import type { Call } from '../transport/callHead';
import { parseJsonText } from '../transport/responseBody';
import { demandWithin } from '../transport/subject';
import type { StreamedResponse } from '../transport/transport';
import { EventReader, type ServerSentEvent } from './sse';
import { demandStream, toStreamError } from './streamResponse';

/**
 * Returns the events of a session's stream. Their type is the `type` in their data, whatever the `event:` line says. Nothing is dropped: an
 * event that is not a JSON object becomes one of type `unreadable` with its text. Throws a `ServiceError` for an `error` that is not a
 * stored event, and for an event of a resource other than `call.about`. Throws immediately if the response is not an event stream.
 */
export async function readSessionEvents(answer: StreamedResponse, call: Pick<Call, 'about'> = {}): Promise<SessionEventStream> {
  const { failures } = answer;
  await demandStream(answer);
  const parents = Object.keys(call.about?.within ?? {});
  const frameIds = new WeakMap<SessionEvent, string>();
  let lastId: string | undefined;
  const events = new EventReader<SessionEvent>(answer.body, {
    toItem: frame => {
      const event = toSessionEvent(frame);
      // Few servers name the session in their events, and there are many events.
      if (parents.some(field => event[field] !== undefined)) {
        demandWithin(call, event, failures);
      }
      if (event.id === undefined || event.id === null) {
        if (event.type === 'error' || (event.type === 'unreadable' && frame.event === 'error')) {
          throw toStreamError(answer, frame.data);
        }
        // An SSE id stays valid until another comes, but names only the event of the frame that brought it.
        if (frame.id !== undefined && frame.id !== lastId) {
          frameIds.set(event, frame.id);
        }
      }
      lastId = frame.id;
      return event;
    },
    tooLarge: () => failures.error('too_large', 'unknown', `An event of the stream from ${failures.what} is larger than 32 MiB`),
  });
  return {
    requestId: answer.requestId,
    status: answer.status,
    get receivedBytes() {
      return events.receivedBytes;
    },
    get lastEventId() {
      return events.reconnection.lastId;
    },
    get retry() {
      return events.reconnection.retry;
    },
    takeArrived: () => events.takeArrived(),
    frameIdOf: event => frameIds.get(event),
    [Symbol.asyncIterator]: () => events,
  };
}

function toSessionEvent({ data, event: name }: ServerSentEvent): SessionEvent {
  try {
    const value = parseJsonText(data);
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && !isTooDeep(value, data.length)) {
      const event = value as SessionEvent;
      // Running the schema costs more than parsing, so it only checks unusual events.
      if (typeof event.type === 'string' && hasTexts(event)) {
        return event;
      }
      const typed = typeof event.type === 'string' ? value : { ...value, type: name ?? '' };
      return decodeTolerantly(sessionEventSchema, typed) ?? { type: 'unreadable', text: data };
    }
  } catch {
    // An unreadable event is shown as it came.
  }
  return { type: 'unreadable', text: data };
}

function hasTexts({ id, processed_at: processedAt, created_at: createdAt, session_thread_id: thread }: SessionEvent): boolean {
  return isText(id) && isText(processedAt) && isText(createdAt) && isText(thread);
}

function isText(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string';
}

const maxDepth = 512;

/** Returns whether a value is nested deeper than its readers accept. `length` is the length of its text. */
function isTooDeep(value: object, length: number): boolean {
  return length > 2 * maxDepth && !fits(value, maxDepth);
}

function fits(value: object, levels: number): boolean {
  if (levels === 0) {
    return false;
  }
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null && !fits(member, levels - 1)) {
      return false;
    }
  }
  return true;
}
