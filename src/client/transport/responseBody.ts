import type { IncomingHttpHeaders } from 'node:http';
import { pipeline, Readable, type Transform } from 'node:stream';
import zlib from 'node:zlib';

/** A body that cannot be read as what it says it is. */
export class BodyError extends Error {
  override readonly name = 'BodyError';

  constructor(readonly reason: 'too_large' | 'too_deep' | 'not_json' | 'encoding') {
    super(`body: ${reason}`);
  }
}

/** Whether the bytes on the wire are the body itself. */
export function isPlain(headers: IncomingHttpHeaders): boolean {
  return ['', 'identity'].includes(encodingOf(headers));
}

/** The bytes of a body after `Content-Encoding`, as they arrive. */
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
    // A cut connection is told as such, not as the broken compression it leaves behind.
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

/** All bytes of a body. More than `limit` throws `too_large`, or ends the reading there when `cut` is true. */
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

/** Whether a body tells nothing of the resource and is no page of something that answers in place of the service. */
export function saysNothing(bytes: Uint8Array, contentType: string): boolean {
  const beginning = new TextDecoder().decode(bytes.subarray(0, 256)).trim();
  return beginning === '' || !(/html/i.test(contentType) || /^[<[{]/.test(beginning));
}

const maxDepth = 512;

/** The value of a JSON text. The parser's own words are dropped: they quote the input, which can hold a secret. */
export function parseJson(bytes: Uint8Array): unknown {
  if (isTooDeep(bytes)) {
    throw new BodyError('too_deep');
  }
  return parseJsonText(new TextDecoder('utf-8').decode(bytes));
}

/** As `parseJson`, for a text whose depth does not matter. */
export function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BodyError('not_json');
  }
}

function isTooDeep(bytes: Uint8Array): boolean {
  let depth = 0;
  for (let index = 0; index < bytes.length; index++) {
    switch (bytes[index]) {
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > maxDepth) {
          return true;
        }
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
      case 0x22: // "
        index = endOfString(bytes, index);
        break;
    }
  }
  return false;
}

/** Index of the quote that ends the string which begins at `start`. */
export function endOfString(bytes: Uint8Array, start: number): number {
  let index = start;
  while (true) {
    index = bytes.indexOf(0x22, index + 1);
    if (index < 0) {
      return bytes.length;
    }
    let slashes = 0;
    while (bytes[index - 1 - slashes] === 0x5c) {
      slashes++;
    }
    if (slashes % 2 === 0) {
      return index;
    }
  }
}
