import { ByteProgress, EventStreamProgress } from './bodyProgress';
import type { CallFailures } from './callFailures';
import type { RawResponse } from './exchange';
import { BodyError, decoded, isPlain } from './responseBody';

/** Bytes in the time of a silence without which a body does not go on: of any, and of an event that is under way. */
const leastBytes = 1024;
const leastEventBytes = 4 * 1024;

/** Lets a body take as long as it goes on; of events, as long as there is life in them. */
export function follow(response: RawResponse, isEventStream: boolean): void {
  response.follow(isEventStream && isPlain(response.headers) ? new EventStreamProgress(leastEventBytes) : new ByteProgress(leastBytes));
}

/** The bytes of a streamed answer after its encoding; what goes wrong is a `ServiceError`, and leaving early closes the connection. */
export async function* readable(
  response: RawResponse,
  failures: CallFailures,
  contentType: string,
  isEventStream: boolean,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    const bytes = decoded(response.headers, response.body);
    yield* isEventStream && !isPlain(response.headers) ? livingEvents(bytes, response) : bytes;
  } catch (error) {
    throw toServiceError(error, failures, response.status, contentType);
  } finally {
    response.cancel();
  }
}

/** What was compressed on the way shows only here whether it goes on. */
async function* livingEvents(bytes: AsyncIterable<Uint8Array>, response: RawResponse): AsyncGenerator<Uint8Array, void, undefined> {
  const progress = new EventStreamProgress(leastEventBytes);
  for await (const piece of bytes) {
    if (progress.moved(piece)) {
      response.alive();
    }
    yield piece;
  }
}

/** What a body could not be read for, as the error of its call. */
export function toServiceError(error: unknown, failures: CallFailures, status: number, contentType: string): unknown {
  if (!(error instanceof BodyError)) {
    return failures.network(error);
  }
  switch (error.reason) {
    case 'too_large':
      return failures.error('too_large', 'unknown', `The answer to ${failures.what} is larger than 32 MiB and was not read`, { status });
    case 'too_deep':
      return failures.error('too_large', 'unknown', `The answer to ${failures.what} is nested deeper than 512 levels and was not read`, {
        status,
      });
    default:
      return failures.notJson(status, contentType);
  }
}
