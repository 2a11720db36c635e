import type { IncomingHttpHeaders } from 'node:http';
import type { BodyPlace, ResumableStream } from '../answer';
import { ServiceError } from '../errors';
import { isPlain } from '../responseBody';
import type { Call, StreamedAnswer, Transport } from '../transport';

/**
 * The body of an answer from a place on, when the service gives just that: 206 with the `Content-Range` that was asked for, to the end,
 * of the same body. Whatever else it answers to the question, the body comes from its start.
 */
export async function streamFrom(transport: Transport, call: Call, from: BodyPlace | undefined): Promise<ResumableStream> {
  if (from === undefined) {
    return wholeOf(await transport.stream(call));
  }
  let answer: StreamedAnswer;
  try {
    answer = await transport.stream({ ...call, from });
  } catch (error) {
    if (error instanceof ServiceError && error.status === 416) {
      return wholeOf(await transport.stream(call));
    }
    throw error;
  }
  if (answer.status !== 206) {
    return wholeOf(answer);
  }
  if (!isRest(answer.headers, from)) {
    answer.cancel();
    return wholeOf(await transport.stream(call));
  }
  // Only what a reader needs: the rest knows the key.
  const { body, contentLength, requestId } = answer;
  return { body, contentLength, requestId, start: from.offset, totalBytes: from.totalBytes, validator: from.validator };
}

function wholeOf({ body, contentLength, requestId, headers }: StreamedAnswer): ResumableStream {
  return { body, contentLength, requestId, start: 0, totalBytes: contentLength, validator: validatorOf(headers) };
}

/** A strong validator of a body that can be resumed: what was encoded on the way has no places of its own. */
function validatorOf(headers: IncomingHttpHeaders): string | undefined {
  const { etag, 'last-modified': modified, 'accept-ranges': ranges } = headers;
  if (ranges?.trim().toLowerCase() !== 'bytes' || !isPlain(headers)) {
    return undefined;
  }
  return etag === undefined ? modified : etag.startsWith('"') ? etag : undefined;
}

/** Whether an answer is the rest of the body that was meant, from the place that was asked for to its end. */
function isRest(headers: IncomingHttpHeaders, { offset, validator, totalBytes }: BodyPlace): boolean {
  const { etag, 'content-range': range } = headers;
  const isSame = !validator.startsWith('"') || etag === undefined || etag === validator;
  return isSame && isPlain(headers) && range === `bytes ${offset}-${totalBytes - 1}/${totalBytes}`;
}
