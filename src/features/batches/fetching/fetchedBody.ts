import { open } from 'node:fs/promises';
import type { MessageBatch } from '../../../client/schemas/messageBatches';
import type { ResumableStream } from '../../../client/transport/callResult';
import { ServiceError } from '../../../client/transport/errors';
import { orAborted } from '../../../shared/orAborted';
import { toForeign } from './fetchErrors';

/** Maximum length of a last line without LF to check, in bytes. */
const lastLineBytes = 1 << 20;

/**
 * Reads a response up to its first non-whitespace byte and checks that it can be results, so that a wrong response doesn't replace earlier
 * bytes. Returns a stream that starts with the bytes read. Throws a `ResultsFetchError` of kind `foreign`, and the signal's reason.
 * Iterating the stream throws when the connection breaks.
 */
export async function demandJson(stream: ResumableStream, batch: MessageBatch, signal: AbortSignal | undefined): Promise<ResumableStream> {
  const chunks = stream.body[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let failure: { readonly error: unknown } | undefined;
  try {
    for (let isStart = true; isStart; ) {
      const next = await orAborted(chunks.next(), signal);
      if (next.done === true) {
        break;
      }
      isStart = !opensObject(next.value, first.length === 0, batch);
      first.push(next.value);
    }
  } catch (error) {
    // Not awaited: closing a connection must not delay a cancellation.
    chunks.return?.().catch(() => {});
    if (!(error instanceof ServiceError)) {
      throw error;
    }
    failure = { error };
  }
  async function* body(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* first;
      if (failure !== undefined) {
        throw failure.error;
      }
      for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
        yield next.value;
      }
    } finally {
      await chunks.return?.();
    }
  }
  return { ...stream, body: body() };
}

/** Returns whether a chunk has a byte other than whitespace. Throws if the first such byte doesn't open a JSON object. */
function opensObject(chunk: Uint8Array, first: boolean, batch: MessageBatch): boolean {
  const start = first && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? 3 : 0;
  const byte = chunk.subarray(start).find(value => value !== 0x20 && value !== 0x09 && value !== 0x0d && value !== 0x0a);
  if (byte === undefined) {
    return false;
  }
  if (byte !== 0x7b) {
    throw toForeign(batch, byte === 0x3c ? 'a web page' : 'no JSON');
  }
  return true;
}

/** Returns whether a file has at least one complete line. */
export async function holdsLine(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const block = Buffer.alloc(64 << 10);
    for (;;) {
      const { bytesRead } = await file.read(block, 0, block.length);
      if (bytesRead === 0 || block.subarray(0, bytesRead).includes(0x0a)) {
        return bytesRead > 0;
      }
    }
  } finally {
    await file.close();
  }
}

/** Returns whether a file of `size` bytes ends with LF or with a line of JSON. */
export async function endsWhole(path: string, size: number): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const length = Math.min(size, lastLineBytes);
    const tail = Buffer.alloc(length);
    await file.read(tail, length - 1, 1, size - 1);
    if (tail[length - 1] === 0x0a) {
      return true;
    }
    await file.read(tail, 0, length, size - length);
    const lineStart = tail.lastIndexOf(0x0a) + 1;
    if (lineStart === 0 && size > length) {
      // A longer last line is checked when all lines are joined.
      return true;
    }
    JSON.parse(tail.toString('utf8', lineStart).replace(/^\ufeff/, ''));
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) {
      return false;
    }
    throw error;
  } finally {
    await file.close();
  }
}
