import type { CallFailures } from './callFailures';
import type { RawResponse } from './exchange';
import { BodyError, decoded } from './responseBody';

/** Yields the decoded bytes of a streamed response. Failures are `ServiceError`s. Leaving early closes the connection. */
export async function* readable(
  response: RawResponse,
  failures: CallFailures,
  contentType: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* decoded(response.headers, response.body);
  } catch (error) {
    throw toServiceError(error, failures, response.status, contentType);
  } finally {
    response.cancel();
  }
}

/** Converts a failure to read a body into the error of its call. */
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
