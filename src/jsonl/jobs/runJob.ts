import type { JobOptions } from './jobs';
import type { JobInput, JobName, JobOutput } from './jobTable';
import type { JobThreads } from './jobThreads';
import { createRing, release } from './threadProtocol';

/** Number of slots. Limits the memory of a streamed body, and how far the thread can be ahead of the network. */
const slotCount = 4;

/**
 * Runs one job alone in a thread and settles with its result or error. If `signal` is aborted, the job is asked to clean up. The promise
 * then rejects with the signal's reason when the thread has ended, after at most 200 ms.
 */
export async function runJob<K extends JobName>(
  threads: JobThreads,
  name: K,
  input: JobInput<K>,
  options: JobOptions = {},
): Promise<JobOutput<K>> {
  const order = { name, input, ring: createRing(0) };
  return (await threads.run(order, { signal: options.signal, onProgress: options.onProgress })) as JobOutput<K>;
}

/**
 * Yields the bytes that a job emits. At most 2 MiB are buffered in memory that is reused, so each chunk is only valid until the next one is
 * requested. Leaving the iteration early or aborting `signal` ends the thread. The iteration throws the job's error.
 */
export async function* streamJob<K extends JobName>(
  threads: JobThreads,
  name: K,
  input: JobInput<K>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const arrived: Uint8Array[] = [];
  let wake: () => void = () => {};
  const leaving = new AbortController();
  const ring = createRing(slotCount);
  const result = threads.run(
    { name, input, ring },
    {
      signal: AbortSignal.any([signal, leaving.signal]),
      onChunk: chunk => {
        arrived.push(chunk);
        wake();
      },
    },
  );
  let ended = false;
  const end = result.then(
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
