import type { IncomingHttpHeaders } from 'node:http';
import type { BodyPlace, ResumableStream } from '../transport/answer';
import { type Call, isSendable } from '../transport/callHead';
import { ServiceError } from '../transport/errors';
import { isPlain } from '../transport/responseBody';
import type { StreamedAnswer, Transport } from '../transport/transport';

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
  const { offset: start, totalBytes, validator, lastModified } = from;
  return { body, contentLength, requestId, start, totalBytes, validator, lastModified };
}

function wholeOf({ body, contentLength, requestId, headers }: StreamedAnswer): ResumableStream {
  const lastModified = headers['last-modified'];
  return { body, contentLength, requestId, start: 0, totalBytes: contentLength, validator: validatorOf(headers), lastModified };
}

/**
 * A strong validator of a body that can be resumed, as far as it can be sent: what was encoded on the way has no places of its own.
 */
function validatorOf(headers: IncomingHttpHeaders): string | undefined {
  const { etag, 'last-modified': modified, 'accept-ranges': ranges } = headers;
  if (ranges?.trim().toLowerCase() !== 'bytes' || !isPlain(headers)) {
    return undefined;
  }
  const validator = etag === undefined ? modified : etag.startsWith('"') ? etag : undefined;
  return validator !== undefined && isSendable(validator) ? validator : undefined;
}

/** Whether an answer proves itself the rest of the body that was meant, from the place that was asked for to its end. */
function isRest(headers: IncomingHttpHeaders, { offset, validator, totalBytes, lastModified }: BodyPlace): boolean {
  const { etag, 'last-modified': modified, 'content-range': range } = headers;
  const isProven = (validator.startsWith('"') ? etag : modified) === validator;
  const isOther = modified !== undefined && lastModified !== undefined && modified !== lastModified;
  return isProven && !isOther && isPlain(headers) && range === `bytes ${offset}-${totalBytes - 1}/${totalBytes}`;
}
