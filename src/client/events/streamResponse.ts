import { isStreamType } from '../transport/callHead';
import { errorKind, readErrorBody } from '../transport/errorResponse';
import type { ServiceError, ServiceErrorKind } from '../transport/errors';
import { parseJson, readBytes } from '../transport/responseBody';
import type { StreamedResponse } from '../transport/transport';

/** Throws a `ServiceError` if the response is not an event stream. */
export async function demandStream({ failures, body, contentType }: StreamedResponse): Promise<void> {
  if (isStreamType(contentType)) {
    return;
  }
  try {
    parseJson(await readBytes(body, 1024 * 1024));
  } catch {
    throw failures.notJson(200, contentType);
  }
  throw failures.error(
    'mismatch',
    'unknown',
    `The answer to ${failures.what} is one JSON object where a stream of events was asked for; the service does not stream`,
  );
}

/** Returns the error of an `error` event in a stream. */
export function toStreamError({ failures }: StreamedResponse, data: string): ServiceError {
  const words = readErrorBody(failures.conceal(data));
  const named = words.errorType ?? 'an error';
  // The response's status was 200: only the type says what failed.
  const byType: ServiceErrorKind = errorKind(0, words.errorType);
  const kind = byType === 'other_status' ? 'stream_error' : byType;
  const said = words.message === undefined ? '' : `: ${words.message}`;
  return failures.error(kind, 'unknown', `${failures.what} broke off with ${named}${said}`, {
    errorType: words.errorType,
    serviceMessage: words.message,
    requestId: words.requestId,
  });
}
