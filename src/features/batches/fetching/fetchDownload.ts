import type { MessageBatch } from '../../../client/schemas/messageBatches';
import type { ServiceClient } from '../../../client/serviceClient';
import type { BodyPlace, ResumableStream } from '../../../client/transport/answer';
import { ServiceError } from '../../../client/transport/errors';
import { isTransient, maxWait } from '../../../client/transport/retryPolicy';
import { Arrival } from '../../../jsonl/files/arrival';
import { orAborted } from '../../../jsonl/files/orAborted';
import { type FileWriting, WholeFile } from '../../../jsonl/files/wholeFile';
import { ResultsFetchError, toGone, toTooLarge } from './fetchErrors';
import { demandJson, endsWhole, holdsLine } from './fetchedBody';

export interface DownloadOptions {
  readonly client: Pick<ServiceClient, 'batches'>;
  readonly batch: MessageBatch;
  readonly rawPath: string;
  readonly signal?: AbortSignal;
  /** More than so many bytes are not received. */
  readonly maxBytes?: number | undefined;
  /** Bytes received of those announced. */
  readonly onReceived?: (doneBytes: number, totalBytes: number | undefined) => void;
  /** Results begin to arrive at `partPath`; called again when they are read from the start again. Whoever reads along learns from `arrival` how far they are. */
  readonly onArriving?: (partPath: string, arrival: Arrival) => void;
  /** Waits before the next attempt; rejects when the signal is aborted. */
  readonly pause: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly writing?: FileWriting;
}

/** Attempts one after the other that bring nothing, at most. */
const attempts = 3;
/** Attempts in all, at most, when each brings a little more. */
const mostAttempts = 30;
const firstPauseMs = 1000;
const blockBytes = 1 << 20;
/** Milliseconds between two words on what has arrived, where less than a block comes. */
const tellEveryMs = 500;

/** Where the longest part of results is kept that were cut every time. */
export function incompletePathOf(rawPath: string): string {
  return `${rawPath}.incomplete`;
}

/** The results ended before they were whole. */
class CutError extends Error {
  override readonly name = 'CutError';
}

/**
 * Receives the results file of a batch into a temporary file beside `rawPath` and makes sure that it came whole: as many bytes as
 * were announced, lines of JSON from the first byte, a whole last line. The caller finishes and publishes the file, or discards it.
 * When results are cut they are taken up where they ended if the service offers that and they are still the same, as long as
 * each attempt brings more; else they are read again from the start, twice at most. Once something arrived a wrong answer (a
 * gateway's page, 404, 503) is a vain attempt too. After that the longest part is kept as `<rawPath>.incomplete` and
 * `ResultsFetchError` of kind `cut` says so. On every other failure nothing is left.
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
    for (let vain = 0, attempt = 1; ; attempt++) {
      // Whoever reads along gets ready while the service is asked.
      reception ??= await Reception.begin(options);
      const before = reception.part.byteLength;
      let retryAfter = 0;
      try {
        const stream = await openResults(options, reception.place);
        if (stream.start !== before) {
          await leave();
          reception = await Reception.begin(options);
        }
        await reception.take(stream);
        const { part } = reception;
        reception = undefined;
        return part;
      } catch (error) {
        const hasSome = Math.max(longest?.byteLength ?? 0, reception?.part.byteLength ?? 0) > 0;
        if (!(isCut(error) || mayPass(error) || (hasSome && isWrongAnswer(error))) || signal?.aborted === true) {
          throw error;
        }
        const gained = reception !== undefined && reception.place !== undefined && reception.part.byteLength > before;
        if (reception?.place === undefined && reception?.part.byteLength !== 0) {
          await leave();
        }
        vain = gained ? 0 : vain + 1;
        retryAfter = askedToWait(error);
        if (vain === attempts || attempt === mostAttempts || retryAfter > maxWait) {
          await leave();
          throw hasSome || isCut(error) ? await keepIncomplete(longest, attempt, options, error) : error;
        }
      }
      await options.pause(Math.max(retryAfter, Math.random() * firstPauseMs * 2 ** Math.max(0, vain - 1)), signal);
    }
  } finally {
    await reception?.leave().discard();
    await longest?.discard();
  }
}

/** The results of one body, which can come in several streams that go on where the one before was cut. */
class Reception {
  private readonly arrival = new Arrival();
  private totalBytes: number | undefined;
  private validator: string | undefined;
  private lastModified: string | undefined;

  private constructor(
    readonly part: WholeFile,
    private readonly options: DownloadOptions,
  ) {}

  static async begin(options: DownloadOptions): Promise<Reception> {
    const reception = new Reception(await WholeFile.create(options.rawPath, options.writing), options);
    options.onArriving?.(reception.part.partPath, reception.arrival);
    return reception;
  }

  /** Where what is missing begins; undefined when it cannot be had by itself, or when nothing is missing. */
  get place(): BodyPlace | undefined {
    const { part, validator, totalBytes, lastModified } = this;
    const offset = part.byteLength;
    return validator === undefined || offset === 0 || totalBytes === undefined || offset >= totalBytes
      ? undefined
      : { offset, validator, totalBytes, lastModified };
  }

  /** Nobody needs to wait for more; the caller discards or keeps what there is. */
  leave(): WholeFile {
    this.arrival.fail();
    return this.part;
  }

  /** Receives the results to their end. Throws when they are cut, with what did come in the file. */
  async take(stream: ResumableStream): Promise<void> {
    const { part, options } = this;
    this.totalBytes = stream.totalBytes;
    this.validator = stream.validator;
    this.lastModified = stream.lastModified;
    await this.receive(stream);
    const received = part.byteLength;
    options.onReceived?.(received, stream.totalBytes ?? received);
    if (stream.totalBytes !== undefined && received !== stream.totalBytes) {
      throw new CutError(`${received} of ${stream.totalBytes} bytes arrived.`);
    }
    if (received === 0) {
      throw new CutError('No bytes arrived.');
    }
    if (!(await endsWhole(part.partPath, received))) {
      throw new CutError('The last line is not whole.');
    }
    this.arrival.complete(received);
  }

  private async receive({ body, start, totalBytes }: ResumableStream): Promise<void> {
    const { signal, onReceived, batch, maxBytes = Number.POSITIVE_INFINITY } = this.options;
    const chunks = body[Symbol.asyncIterator]();
    const block = new Block(this.part, this.arrival);
    let received = start;
    let ended = false;
    let toldAt = Number.NEGATIVE_INFINITY;
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
        const isFull = block.add(chunk);
        if (isFull) {
          await orAborted(block.write(), signal);
        }
        if (isFull || performance.now() - toldAt >= tellEveryMs) {
          toldAt = performance.now();
          onReceived?.(received, totalBytes);
        }
      }
      await orAborted(block.end(), signal);
    } catch (error) {
      if (isCut(error)) {
        // What did arrive is worth keeping.
        await orAborted(block.end(), signal);
      }
      throw error;
    } finally {
      if (!ended) {
        // Not awaited: closing a connection must not hold up a cancel.
        chunks.return?.().catch(() => {});
      }
    }
  }
}

async function openResults({ client, batch, signal }: DownloadOptions, from: BodyPlace | undefined): Promise<ResumableStream> {
  let stream: ResumableStream;
  try {
    stream = await client.batches.results(batch.id, { signal, from, once: true });
  } catch (error) {
    throw error instanceof ServiceError && error.kind === 'not_found' ? toGone(batch, error) : error;
  }
  return stream.start > 0 ? stream : await demandJson(stream, batch, signal);
}

/** The longer of two files; the other one is discarded. */
async function longerOf(before: WholeFile | undefined, part: WholeFile | undefined): Promise<WholeFile | undefined> {
  if (before === undefined || part === undefined) {
    return part ?? before;
  }
  const [longer, shorter] = part.byteLength > before.byteLength ? [part, before] : [before, part];
  await shorter.discard();
  return longer;
}

/** Chunks on their way to the disk: one block is written while the next arrives. */
class Block {
  private chunks: Uint8Array[] = [];
  private size = 0;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly part: WholeFile,
    private readonly arrival: Arrival,
  ) {}

  /** Whether there is enough to write. */
  add(chunk: Uint8Array): boolean {
    this.chunks.push(chunk);
    this.size += chunk.length;
    return this.size >= blockBytes;
  }

  /** Begins to write what there is when the block before is written. */
  async write(): Promise<void> {
    await this.writing;
    this.writing = this.part.appendAll(this.chunks).then(() => this.arrival.report(this.part.byteLength));
    // Its failure is thrown by the next call.
    this.writing.catch(() => {});
    this.chunks = [];
    this.size = 0;
  }

  async end(): Promise<void> {
    await this.write();
    await this.writing;
  }
}

const errorKindsOfCuts = new Set(['connection_lost', 'silence_timeout', 'call_timeout']);

function isCut(error: unknown): error is Error {
  return error instanceof CutError || (error instanceof ServiceError && errorKindsOfCuts.has(error.kind));
}

function mayPass(error: unknown): error is Error {
  return error instanceof ServiceError && isTransient(error);
}

/** Whether an answer, or none, says nothing about what arrived before: a gateway can stand in the place of the service for a while. */
function isWrongAnswer(error: unknown): error is Error {
  return error instanceof ServiceError ? error.kind !== 'aborted' : error instanceof ResultsFetchError && error.kind !== 'large';
}

function askedToWait(error: unknown): number {
  return error instanceof ServiceError ? (error.retryAfter ?? 0) : 0;
}

async function keepIncomplete(
  part: WholeFile | undefined,
  attempt: number,
  { batch, rawPath, signal }: DownloadOptions,
  cause: Error,
): Promise<Error> {
  const words = cause.message;
  const what = isCut(cause)
    ? `The results of batch ${batch.id} were cut off every time they were read (${attempt} times)`
    : `The results of batch ${batch.id} could not be read to their end in ${attempt} attempts (${words})`;
  if (part === undefined || !(await holdsLine(part.partPath))) {
    await part?.discard();
    return new ResultsFetchError('cut', `${what}, and no whole result arrived. Try again later.`, { cause });
  }
  const incompletePath = incompletePathOf(rawPath);
  await part.finish(signal);
  await part.publish(incompletePath);
  return new ResultsFetchError('cut', `${what}. What arrived was kept. Try again, or use what arrived.`, { cause, incompletePath });
}
