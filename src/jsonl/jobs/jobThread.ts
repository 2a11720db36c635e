import { Worker } from 'node:worker_threads';
import type { FileProgress } from '../checking/batchFileReport';
import { type JobOptions, SourceChangedError } from './jobs';
import type { JobName, JobOf, SlotRing, ThreadInput, ThreadMessage } from './threadProtocol';

/** How long an aborted job is waited for while it tidies up; the whole of a cancel settles within 300 ms. */
const tidyMs = 200;
/** After that it goes on by itself, so that nothing half-written stays on a slow disk; one that never ends is ended. */
const longestTidyMs = 10_000;
/** What bounds the memory of a streamed body, and how far a thread can be ahead of the network. */
const slotCount = 4;
const slotBytes = 256 * 1024;
/** What a thread makes is short-lived: a larger nursery only keeps more of it. The lines themselves may be of any size. */
const resourceLimits = { maxYoungGenerationSizeMb: 4 };

/**
 * Runs one job in a thread of its own and settles with what it returned or threw. When `signal` is aborted the job is asked
 * to tidy up, and the promise rejects with the signal's reason as soon as the thread has ended, after 200 ms at the latest.
 */
export async function runJob<K extends JobName>(
  threadFile: string,
  name: K,
  input: JobOf<K>['input'],
  options: JobOptions = {},
): Promise<JobOf<K>['output']> {
  const thread = new JobThread(threadFile, name, input, createRing(0), options.signal, options.onProgress);
  return (await thread.result) as JobOf<K>['output'];
}

/**
 * The bytes that one job emits, as they are taken: at most 1 MiB waits, in memory that is used again, so each piece is valid only
 * until the next is asked for. Leaving the iteration early, or aborting `signal`, ends the thread. An error of the job is thrown
 * by the iteration.
 */
export async function* streamJob<K extends JobName>(
  threadFile: string,
  name: K,
  input: JobOf<K>['input'],
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const arrived: Uint8Array[] = [];
  let wake: () => void = () => {};
  const leaving = new AbortController();
  const ring = createRing(slotCount);
  const thread = new JobThread(threadFile, name, input, ring, AbortSignal.any([signal, leaving.signal]), undefined, chunk => {
    arrived.push(chunk);
    wake();
  });
  let ended = false;
  const end = thread.result.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  void end.then(() => {
    ended = true;
    wake();
  });
  try {
    while (true) {
      signal.throwIfAborted();
      const chunk = arrived.shift();
      if (chunk !== undefined) {
        yield chunk;
        release(ring);
      } else if (ended) {
        break;
      } else {
        await new Promise<void>(resolve => {
          wake = resolve;
        });
      }
    }
    const failure = await end;
    if (failure !== undefined) {
      throw failure.error;
    }
  } finally {
    leaving.abort();
    await end;
  }
}

class JobThread {
  readonly result: Promise<unknown>;
  private readonly worker: Worker;

  constructor(
    threadFile: string,
    name: JobName,
    input: unknown,
    ring: SlotRing,
    signal: AbortSignal | undefined,
    onProgress: ((progress: FileProgress) => void) | undefined,
    onChunk?: (chunk: Uint8Array) => void,
  ) {
    const aborted = new Int32Array(new SharedArrayBuffer(4));
    const workerData: ThreadInput = { name, input, aborted, ring };
    // Nothing of the host's environment or arguments is needed in there.
    this.worker = new Worker(threadFile, { workerData, env: {}, execArgv: [], resourceLimits, name: `jsonl ${name}` });
    const worker = this.worker;
    this.result = new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      let settle: () => void = () => reject(new Error(`The thread of the job ${name} ended before the job did.`));
      const abort = () => {
        settle = () => reject(signal?.reason);
        Atomics.store(aborted, 0, 1);
        // A job that waits for a slot gets one, and then sees that it is cancelled.
        release(ring);
        worker.postMessage({ type: 'abort' });
        timer = setTimeout(() => {
          settle();
          timer = setTimeout(() => void worker.terminate(), longestTidyMs - tidyMs);
        }, tidyMs);
      };
      worker.on('message', (message: ThreadMessage) => {
        switch (message.type) {
          case 'progress':
            if (signal?.aborted !== true) {
              onProgress?.(message.progress);
            }
            break;
          case 'chunk':
            onChunk?.((ring.slots[message.slot] as Uint8Array).subarray(0, message.length));
            break;
          case 'done':
            // The thread has nothing left to do but end.
            if (signal?.aborted !== true) {
              signal?.removeEventListener('abort', abort);
              resolve(message.value);
            }
            break;
          case 'failed':
            settle = signal?.aborted === true ? settle : () => reject(toError(message));
            break;
        }
      });
      worker.once('error', error => {
        settle = signal?.aborted === true ? settle : () => reject(error);
      });
      worker.once('exit', () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        settle();
      });
      if (signal?.aborted === true) {
        abort();
      } else {
        signal?.addEventListener('abort', abort, { once: true });
      }
    });
    // Whoever streams looks at the result only at the end.
    this.result.catch(() => {});
  }
}

function release({ free }: SlotRing): void {
  Atomics.add(free, 0, 1);
  Atomics.notify(free, 0);
}

function createRing(count: number): SlotRing {
  const slots = Array.from({ length: count }, () => new Uint8Array(new SharedArrayBuffer(slotBytes)));
  return { slots, free: new Int32Array(new SharedArrayBuffer(4)).fill(count) };
}

function toError(message: Extract<ThreadMessage, { type: 'failed' }>): Error {
  if (message.name === SourceChangedError.name) {
    return new SourceChangedError(message.message);
  }
  const error: NodeJS.ErrnoException = new Error(message.message);
  error.name = message.name;
  error.stack = message.stack;
  if (message.code !== undefined) {
    error.code = message.code;
  }
  return error;
}
