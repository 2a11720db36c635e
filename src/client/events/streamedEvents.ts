import { isRecord } from '../../shared/isRecord';
import { type Call, isStreamType } from '../transport/callHead';
import { decodeTolerantly } from '../transport/decode';
import { errorKind, readErrorBody } from '../transport/errorResponse';
import type { ServiceError, ServiceErrorKind } from '../transport/errors';
import { parseJson, readBytes } from '../transport/responseBody';
import { demandWithin } from '../transport/subject';
import type { StreamedResponse } from '../transport/transport';
import { type SessionEvent, type SessionEventStream, sessionEventSchema } from './eventLog';
import { EventReader, type ServerSentEvent } from './sse';

/**
 * One event of a streamed message: `message_start`, `content_block_start`, `content_block_delta`, `content_block_stop`, `message_delta`,
 * `message_stop`, `ping`, `error`. Any other type is preserved.
 */
export interface MessageStreamEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Reads the events of a response. Throws a `ServiceError` if the response is not an event stream. */
async function readEvents<T>(
  { failures, body, contentType }: StreamedResponse,
  toItem: (event: ServerSentEvent) => T,
  atEnd?: () => void,
): Promise<EventReader<T>> {
  if (isStreamType(contentType)) {
    const tooLarge = () => failures.error('too_large', 'unknown', `An event of the stream from ${failures.what} is larger than 32 MiB`);
    return new EventReader(body, { toItem, atEnd, tooLarge });
  }
  try {
    parseJson((await readBytes(body, 1024 * 1024)).toString());
  } catch {
    throw failures.notJson(200, contentType);
  }
  throw failures.mismatch(`The response to ${failures.what} is one JSON object instead of an event stream; the service does not stream`);
}

function toStreamError({ failures }: StreamedResponse, data: string): ServiceError {
  const words = readErrorBody(failures.conceal(data));
  const named = words.errorType ?? 'an error';
  // The response's status was 200, so the kind follows from the type.
  const byType: ServiceErrorKind = errorKind(0, words.errorType);
  const kind = byType === 'other_status' ? 'stream_error' : byType;
  const reason = words.message === undefined ? '' : `: ${words.message}`;
  return failures.error(kind, 'unknown', `${failures.what} was aborted with ${named}${reason}`, {
    errorType: words.errorType,
    serviceMessage: words.message,
    requestId: words.requestId,
  });
}

/**
 * Returns the events of a streamed message by the `type` in their data. Yields `ping` and unknown types too. Throws a `ServiceError` for an
 * `error` event. The error's kind is `connection_lost` if the stream ends before `message_stop`. Throws immediately if the response is not
 * an event stream.
 */
export async function readMessageEvents(answer: StreamedResponse): Promise<AsyncIterableIterator<MessageStreamEvent, void, undefined>> {
  const { failures } = answer;
  let stopped = false;
  const toItem = ({ data }: ServerSentEvent) => {
    const event = toEvent(data);
    if (event === undefined) {
      throw failures.error('not_json', 'unknown', `An event of the stream from ${failures.what} is not a JSON object`);
    }
    if (event.type === 'error') {
      throw toStreamError(answer, data);
    }
    stopped ||= event.type === 'message_stop';
    return event;
  };
  return readEvents(answer, toItem, () => {
    if (!stopped) {
      throw failures.error('connection_lost', 'unknown', `The stream from ${failures.what} ended before the message was complete`);
    }
  });
}

function toEvent(data: string): MessageStreamEvent | undefined {
  try {
    const value = parseJson(data);
    if (!isRecord(value)) {
      return undefined;
    }
    return typeof value.type === 'string' ? (value as MessageStreamEvent) : { ...value, type: '' };
  } catch {
    return undefined;
  }
}

/**
 * Returns the events of a session's stream. The type of an event is the `type` in its data, not the `event:` line. An event that is not a
 * JSON object becomes an event of type `unreadable` with its text. Throws a `ServiceError` for an `error` that is not a stored event, and
 * for an event of a resource other than `call.about`. Throws immediately if the response is not an event stream.
 */
export async function readSessionEvents(answer: StreamedResponse, call: Pick<Call, 'about'> = {}): Promise<SessionEventStream> {
  const parents = Object.keys(call.about?.within ?? {});
  const frameIds = new WeakMap<SessionEvent, string>();
  let lastId: string | undefined;
  const events = await readEvents(answer, frame => {
    const event = toSessionEvent(frame);
    // Few servers name the session in their events, and there are many events.
    if (parents.some(field => event[field] !== undefined)) {
      demandWithin(call, event, answer.failures);
    }
    if (event.id === undefined || event.id === null) {
      if (event.type === 'error' || (event.type === 'unreadable' && frame.event === 'error')) {
        throw toStreamError(answer, frame.data);
      }
      // An SSE id stays set until the next id, but identifies only the event of its own frame.
      if (frame.id !== undefined && frame.id !== lastId) {
        frameIds.set(event, frame.id);
      }
    }
    lastId = frame.id;
    return event;
  });
  const frameIdOf = (event: SessionEvent) => frameIds.get(event);
  return Object.assign(events, { requestId: answer.requestId, status: answer.status, frameIdOf });
}

function toSessionEvent({ data, event: name }: ServerSentEvent): SessionEvent {
  try {
    const value = parseJson(data);
    if (isRecord(value)) {
      const event = value as SessionEvent;
      // Running the schema costs more than parsing, so the schema only checks unusual events.
      if (typeof event.type === 'string' && hasTexts(event)) {
        return event;
      }
      const typed = typeof event.type === 'string' ? value : { ...value, type: name ?? '' };
      return decodeTolerantly(sessionEventSchema, typed) ?? { type: 'unreadable', text: data };
    }
  } catch {
    // The text of an unreadable event is shown unchanged.
  }
  return { type: 'unreadable', text: data };
}

function hasTexts({ id, processed_at: processedAt, created_at: createdAt, session_thread_id: thread }: SessionEvent): boolean {
  return isText(id) && isText(processedAt) && isText(createdAt) && isText(thread);
}

function isText(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string';
}
