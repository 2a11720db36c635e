import { createReadStream } from 'node:fs';
import type { MessageBatch } from '../../../client/resources/messageBatches';
import type { ServiceClient } from '../../../client/serviceClient';
import type { BodyPosition, ResumableStream } from '../../../client/transport/callResult';
import { ServiceError } from '../../../client/transport/errors';
import { isTransient, maxWait } from '../../../client/transport/retryPolicy';
import { Arrival } from '../../../jsonl/files/arrival';
import { WholeFile } from '../../../jsonl/files/wholeFile';
import { orAborted } from '../../../shared/orAborted';
import { ResultsFetchError, toForeign, toGone, toTooLarge } from './fetchMessages';

export interface DownloadOptions {
  readonly client: Pick<ServiceClient, 'batches'>;
  readonly batch: MessageBatch;
  readonly rawPath: string;
  readonly signal?: AbortSignal;
  /** Maximum size of results that are fetched, in bytes. Larger results throw a `ResultsFetchError` of kind `large`. */
  readonly maxBytes?: number | undefined;
  /** Called with the bytes received so far and the announced size. */
  readonly onReceived?: (doneBytes: number, totalBytes: number | undefined) => void;
  /** Called when results arrive at `partPath`, also after a restart. `arrival` reports how many bytes can be read there. */
  readonly onArriving?: (partPath: string, arrival: Arrival) => void;
  /** Waits before the next attempt. Rejects when the signal is aborted. */
  readonly pause: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** Maximum number of consecutive attempts that receive no bytes. */
const attempts = 3;
/** Maximum number of attempts in total, even if each receives some bytes. */
const maxAttempts = 30;
const firstPauseMs = 1000;
const blockBytes = 1 << 20;
/** Interval between progress reports while less than a block has arrived, in milliseconds. */
const reportEveryMs = 500;

/** Returns the path for the longest received part of results that were cut off in every attempt. */
export function incompletePathOf(rawPath: string): string {
  return `${rawPath}.incomplete`;
}

class CutError extends Error {
  override readonly name = 'CutError';
}

/**
 * Downloads the results of a batch into a temporary file next to `rawPath` and checks that they are complete. Complete results have the
 * announced number of bytes, start with JSON and end with a complete line. The caller finishes and publishes the file, or discards it. A
 * cut download resumes at the last byte if the service supports that, the results are unchanged and each attempt receives more. Otherwise
 * the download restarts, at most twice. Once some bytes have arrived, an unexpected response (a gateway's page, 404, 503) counts as a
 * failed attempt too. The longest part of all failed attempts stays as `<rawPath>.incomplete`, and a `ResultsFetchError` of kind `cut` is
 * thrown. After any other failure, no file is left.
 */
export async function download(options: DownloadOptions): Promise<WholeFile> {
  const { signal } = options;
  let longest: WholeFile | undefined;
  let reception: Reception | undefined;
  const leave = async () => {
    longest = await longerOf(longest, reception?.leave());
    reception = undefined;
  };
  try {
    for (let emptyAttempts = 0, attempt = 1; ; attempt++) {
      // Created before the request, so that the reader of `arrival` starts while the service responds.
      reception ??= await Reception.create(options);
      const before = reception.part.byteLength;
      let retryAfter = 0;
      try {
        const stream = await openResults(options, reception.resumePosition);
        if (stream.start !== before) {
          await leave();
          reception = await Reception.create(options);
        }
        await reception.take(stream);
        const { part } = reception;
        reception = undefined;
        return part;
      } catch (error) {
        const hasBytes = Math.max(longest?.byteLength ?? 0, reception?.part.byteLength ?? 0) > 0;
        if (
          !(isCut(error) || (error instanceof ServiceError && isTransient(error)) || (hasBytes && isWrongAnswer(error))) ||
          signal?.aborted === true
        ) {
          throw error;
        }
        const hasProgress = reception !== undefined && reception.resumePosition !== undefined && reception.part.byteLength > before;
        if (reception?.resumePosition === undefined && reception?.part.byteLength !== 0) {
          await leave();
        }
        emptyAttempts = hasProgress ? 0 : emptyAttempts + 1;
        retryAfter = error instanceof ServiceError ? (error.retryAfter ?? 0) : 0;
        if (emptyAttempts === attempts || attempt === maxAttempts || retryAfter > maxWait) {
          await leave();
          throw hasBytes || isCut(error) ? await keepIncomplete(longest, attempt, options, error) : error;
        }
      }
      await options.pause(Math.max(retryAfter, Math.random() * firstPauseMs * 2 ** Math.max(0, emptyAttempts - 1)), signal);
    }
  } finally {
    await reception?.leave().discard();
    await longest?.discard();
  }
}

/** Receives one version of the results, possibly over several streams that each resume the previous one. */
class Reception {
  private readonly arrival = new Arrival();
  private stream: ResumableStream | undefined;
  /** Chunks to write as one block, while the previous block is written. */
  private chunks: Uint8Array[] = [];
  private size = 0;
  private writing: Promise<void> = Promise.resolve();

  private constructor(
    readonly part: WholeFile,
    private readonly options: DownloadOptions,
  ) {}

  static async create(options: DownloadOptions): Promise<Reception> {
    const reception = new Reception(await WholeFile.create(options.rawPath), options);
    options.onArriving?.(reception.part.partPath, reception.arrival);
    return reception;
  }

  /** Position to resume from. `undefined` if the results can't be resumed, or nothing is missing. */
  get resumePosition(): BodyPosition | undefined {
    const { validator, totalBytes, lastModified } = this.stream ?? {};
    const offset = this.part.byteLength;
    return validator === undefined || offset === 0 || totalBytes === undefined || offset >= totalBytes
      ? undefined
      : { offset, validator, totalBytes, lastModified };
  }

  /** Ends the reception and returns its file, which the caller discards or publishes. */
  leave(): WholeFile {
    this.arrival.fail();
    return this.part;
  }

  /** Receives the results to their end. Throws if the stream is cut off. The file then has the received part. */
  async take(stream: ResumableStream): Promise<void> {
    const { part, options } = this;
    this.stream = stream;
    await this.receive(stream);
    const received = part.byteLength;
    options.onReceived?.(received, stream.totalBytes ?? received);
    if (stream.totalBytes !== undefined && received !== stream.totalBytes) {
      throw new CutError(`${received} of ${stream.totalBytes} bytes were received.`);
    }
    if (received === 0) {
      throw new CutError('No bytes were received.');
    }
    if (!(await endsWhole(part.partPath, received))) {
      throw new CutError('The last line is incomplete.');
    }
    this.arrival.complete(received);
  }

  private async receive({ body, start, totalBytes }: ResumableStream): Promise<void> {
    const { signal, onReceived, batch, maxBytes = Number.POSITIVE_INFINITY } = this.options;
    const chunks = body[Symbol.asyncIterator]();
    let received = start;
    let ended = false;
    let reportedAt = Number.NEGATIVE_INFINITY;
    try {
      for (;;) {
        if ((totalBytes ?? received) > maxBytes) {
          throw toTooLarge(batch, maxBytes);
        }
        const next = await orAborted(chunks.next(), signal);
        if (next.done === true) {
          ended = true;
          break;
        }
        const chunk = next.value;
        received += chunk.length;
        this.chunks.push(chunk);
        this.size += chunk.length;
        const isFull = this.size >= blockBytes;
        if (isFull) {
          await orAborted(this.writeBlock(), signal);
        }
        if (isFull || performance.now() - reportedAt >= reportEveryMs) {
          reportedAt = performance.now();
          onReceived?.(received, totalBytes);
        }
      }
      await orAborted(this.writeRest(), signal);
    } catch (error) {
      if (isCut(error)) {
        // Writes the received part, so that it can be resumed.
        await orAborted(this.writeRest(), signal);
      }
      throw error;
    } finally {
      if (!ended) {
        // Not awaited, because closing a connection must not delay a cancellation.
        chunks.return?.().catch(() => {});
      }
    }
  }

  /** Starts to write the block once the previous one is written. */
  private async writeBlock(): Promise<void> {
    await this.writing;
    this.writing = this.part.appendAll(this.chunks).then(() => this.arrival.report(this.part.byteLength));
    // The next call reports a failure.
    this.writing.catch(() => {});
    this.chunks = [];
    this.size = 0;
  }

  private async writeRest(): Promise<void> {
    await this.writeBlock();
    await this.writing;
  }
}

async function openResults({ client, batch, signal }: DownloadOptions, from: BodyPosition | undefined): Promise<ResumableStream> {
  let stream: ResumableStream;
  try {
    stream = await client.batches.results(batch.id, { signal, from, once: true });
  } catch (error) {
    throw error instanceof ServiceError && error.kind === 'not_found' ? toGone(batch, error) : error;
  }
  return stream.start > 0 ? stream : await demandJson(stream, batch, signal);
}

async function longerOf(before: WholeFile | undefined, part: WholeFile | undefined): Promise<WholeFile | undefined> {
  if (before === undefined || part === undefined) {
    return part ?? before;
  }
  const [longer, shorter] = part.byteLength > before.byteLength ? [part, before] : [before, part];
  await shorter.discard();
  return longer;
}

const errorKindsOfCuts = new Set(['connection_lost', 'silence_timeout', 'call_timeout']);

function isCut(error: unknown): error is Error {
  return error instanceof CutError || (error instanceof ServiceError && errorKindsOfCuts.has(error.kind));
}

/** Returns whether the received results stay valid after an error. A gateway may respond temporarily in place of the service. */
function isWrongAnswer(error: unknown): error is Error {
  return error instanceof ServiceError ? error.kind !== 'aborted' : error instanceof ResultsFetchError && error.kind !== 'large';
}

async function keepIncomplete(part: WholeFile | undefined, attempt: number, { batch, rawPath, signal }: DownloadOptions, cause: Error) {
  const { message } = cause;
  const description = isCut(cause)
    ? `The results of batch ${batch.id} were cut off every time they were read (${attempt} times)`
    : `The results of batch ${batch.id} could not be read to their end in ${attempt} attempts (${message})`;
  if (part === undefined || !(await holdsLine(part.partPath))) {
    await part?.discard();
    return new ResultsFetchError('cut', `${description}, and no complete result was received. Try again later.`, { cause });
  }
  const incompletePath = incompletePathOf(rawPath);
  await part.finish(signal);
  await part.publish(incompletePath);
  return new ResultsFetchError('cut', `${description}. The received part was saved. Try again, or use it.`, { cause, incompletePath });
}

/** Maximum length of a last line without LF to check, in bytes. */
const lastLineBytes = 1 << 20;

/**
 * Reads a response up to its first non-whitespace byte. Checks that the response can be results, so that a wrong response doesn't replace
 * earlier bytes. Returns a stream that starts with the bytes read. Throws a `ResultsFetchError` of kind `foreign`, the signal's reason, and
 * errors of the connection.
 */
async function demandJson(stream: ResumableStream, batch: MessageBatch, signal: AbortSignal | undefined): Promise<ResumableStream> {
  const chunks = stream.body[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
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
    // Not awaited, because closing a connection must not delay a cancellation.
    chunks.return?.().catch(() => {});
    throw error;
  }
  async function* body(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* first;
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
async function holdsLine(path: string): Promise<boolean> {
  for await (const chunk of createReadStream(path)) {
    if (chunk.includes(0x0a)) {
      return true;
    }
  }
  return false;
}

/**
 * Returns whether a file of `size` bytes ends with LF or with a line of JSON. A last line that is too long is checked when the results are
 * joined.
 */
async function endsWhole(path: string, size: number): Promise<boolean> {
  const start = Math.max(0, size - lastLineBytes);
  const tail = Buffer.concat(await createReadStream(path, { start, end: size - 1 }).toArray());
  const lineStart = tail.lastIndexOf(0x0a) + 1;
  if (lineStart === tail.length || (lineStart === 0 && start > 0)) {
    return true;
  }
  try {
    JSON.parse(tail.toString('utf8', lineStart).replace(/^\ufeff/, ''));
    return true;
  } catch {
    return false;
  }
}
