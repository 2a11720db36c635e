import { ByteProgress, EventStreamProgress } from './bodyProgress';
import type { CallFailures } from './callFailures';
import type { RawResponse } from './exchange';
import { BodyError, decoded, isPlain } from './responseBody';

/** Bytes required within the silence time-out for a body to count as progressing: for any body, and for an unfinished event. */
const minBytes = 1024;
const minEventBytes = 4 * 1024;

/** Removes the limit on the duration of a body that makes progress. For an event stream, only events and comments count. */
export function follow(response: RawResponse, isEventStream: boolean): void {
  response.follow(isEventStream && isPlain(response.headers) ? new EventStreamProgress(minEventBytes) : new ByteProgress(minBytes));
}

/** Yields the decoded bytes of a streamed response. Failures are `ServiceError`s. Leaving early closes the connection. */
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

/** Yields the decoded events and reports their progress, which is invisible in the compressed bytes. */
async function* livingEvents(bytes: AsyncIterable<Uint8Array>, response: RawResponse): AsyncGenerator<Uint8Array, void, undefined> {
  const progress = new EventStreamProgress(minEventBytes);
  for await (const piece of bytes) {
    if (progress.moved(piece)) {
      response.alive();
    }
    yield piece;
  }
}

/** Converts a failure to read a body into the error of its call. */
export function toServiceError(error: unknown, failures: CallFailures, status: number, contentType: string): unknown {
  if (!(error instanceof BodyError)) {
    return failures.network(error);
  }
  switch (error.reason) {
    case 'too_large':
      return failures.error('too_large', 'unknown', `The response to ${failures.what} is larger than 32 MiB`, { status });
    case 'too_deep':
      return failures.error('too_large', 'unknown', `The response to ${failures.what} is nested deeper than 512 levels`, {
        status,
      });
    default:
      return failures.notJson(status, contentType);
  }
}
