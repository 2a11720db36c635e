import type { IncomingHttpHeaders } from 'node:http';
import { pipeline, Readable, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import { endOfString } from '../../shared/exactJson';
import { ByteProgress, EventStreamProgress } from './bodyProgress';
import type { CallFailures } from './callFailures';
import type { RawResponse } from './exchange';

/** Error for a body that doesn't match its declared encoding or type. */
class BodyError extends Error {
  override readonly name = 'BodyError';

  constructor(readonly reason: 'too_large' | 'too_deep' | 'not_json' | 'encoding') {
    super(`body: ${reason}`);
  }
}

/** Returns whether the body is not encoded. */
export function isPlain(headers: IncomingHttpHeaders): boolean {
  return ['', 'identity'].includes(encodingOf(headers));
}

/** Yields the bytes of a body, decoded by its `Content-Encoding`, as they arrive. */
export function decoded(headers: IncomingHttpHeaders, body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const encoding = encodingOf(headers);
  switch (encoding) {
    case '':
    case 'identity':
      return body;
    case 'gzip':
    case 'x-gzip':
      return throughStream(body, zlib.createGunzip());
    case 'deflate':
      return throughStream(body, zlib.createInflate());
    case 'br':
      return throughStream(body, zlib.createBrotliDecompress());
    default:
      throw new BodyError('encoding');
  }
}

async function* throughStream(body: AsyncIterable<Uint8Array>, transform: Transform): AsyncGenerator<Uint8Array, void, undefined> {
  let failure: unknown;
  const source = Readable.from(body, { objectMode: false });
  source.once('error', error => {
    failure = error;
  });
  pipeline(source, transform, () => {});
  try {
    yield* transform as AsyncIterable<Uint8Array>;
  } catch (error) {
    // Reports a broken connection, not the compression error that it causes.
    throw failure ?? (isZlibError(error) ? new BodyError('encoding') : error);
  } finally {
    source.destroy();
  }
}

function isZlibError(error: unknown): boolean {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return code?.startsWith('Z_') === true || code?.startsWith('ERR_') === true;
}

function encodingOf(headers: IncomingHttpHeaders): string {
  return String(headers['content-encoding'] ?? '')
    .trim()
    .toLowerCase();
}

/** Reads all bytes of a body. Beyond `limit` bytes, throws `too_large`. With `cut`, stops at the limit instead. */
export async function readBytes(body: AsyncIterable<Uint8Array>, limit: number, cut = false): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    parts.push(part);
    size += part.byteLength;
    if (size > limit) {
      if (cut) {
        break;
      }
      throw new BodyError('too_large');
    }
  }
  return Buffer.concat(parts, Math.min(size, limit));
}

/** Returns whether a body is empty or plain text. JSON describes a resource, and HTML comes from a gateway. */
export function saysNothing(bytes: Uint8Array, contentType: string): boolean {
  const beginning = new TextDecoder().decode(bytes.subarray(0, 256)).trim();
  return beginning === '' || !(/html/i.test(contentType) || /^[<[{]/.test(beginning));
}

const maxDepth = 512;

/** Parses JSON. The parser's own message is dropped, because it quotes the input, which can contain a secret. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) {
    throw new BodyError('too_deep');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new BodyError('not_json');
  }
}

function isTooDeep(json: string): boolean {
  let depth = 0;
  for (let at = 0; at < json.length && depth <= maxDepth; at++) {
    switch (json[at]) {
      case '[':
      case '{':
        depth++;
        break;
      case ']':
      case '}':
        depth--;
        break;
      case '"':
        at = endOfString(json, at) - 1;
        break;
    }
  }
  return depth > maxDepth;
}

/** Minimum number of bytes within the silence time-out that count as progress: for any body, and for an unfinished event. */
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

/** Yields the decoded events and reports progress, which can't be seen in the compressed bytes. */
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
