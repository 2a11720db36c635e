import type { IncomingHttpHeaders } from 'node:http';
import { type Call, isSendable } from '../transport/callHead';
import type { BodyPosition, ResumableStream } from '../transport/callResult';
import { ServiceError } from '../transport/errors';
import { isPlain } from '../transport/responseBody';
import type { StreamedResponse, Transport } from '../transport/transport';

/**
 * Reads the body of a response from an offset if the service supports it: a 206 with the requested `Content-Range`, up to the end, of the
 * same body. For any other response, the body comes from its start.
 */
export async function streamFrom(transport: Transport, call: Call, from: BodyPosition | undefined): Promise<ResumableStream> {
  if (from === undefined) {
    return wholeOf(await transport.stream(call));
  }
  let answer: StreamedResponse;
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
  // Copies only these fields, because the rest of the response has access to the key.
  const { body, contentLength, requestId } = answer;
  const { offset: start, totalBytes, validator, lastModified } = from;
  return { body, contentLength, requestId, start, totalBytes, validator, lastModified };
}

function wholeOf({ body, contentLength, requestId, headers }: StreamedResponse): ResumableStream {
  const lastModified = headers['last-modified'];
  return { body, contentLength, requestId, start: 0, totalBytes: contentLength, validator: validatorOf(headers), lastModified };
}

/**
 * Returns a strong validator of a resumable body, or `undefined`. An encoded body can't be resumed, because its offsets are not those of
 * the content.
 */
function validatorOf(headers: IncomingHttpHeaders): string | undefined {
  const { etag, 'last-modified': modified, 'accept-ranges': ranges } = headers;
  if (ranges?.trim().toLowerCase() !== 'bytes' || !isPlain(headers)) {
    return undefined;
  }
  const validator = etag === undefined ? modified : etag.startsWith('"') ? etag : undefined;
  return validator !== undefined && isSendable(validator) ? validator : undefined;
}

/** Returns whether a response is proven to be the rest of the intended body, from the requested offset to its end. */
function isRest(headers: IncomingHttpHeaders, { offset, validator, totalBytes, lastModified }: BodyPosition): boolean {
  const { etag, 'last-modified': modified, 'content-range': range } = headers;
  const isProven = (validator.startsWith('"') ? etag : modified) === validator;
  const isChanged = modified !== undefined && lastModified !== undefined && modified !== lastModified;
  return isProven && !isChanged && isPlain(headers) && range === `bytes ${offset}-${totalBytes - 1}/${totalBytes}`;
}
