import type { JobOptions } from './jobs';
import type { JobInput, JobName, JobOutput } from './jobTable';
import type { JobThreads } from './jobThreads';
import { createRing, release } from './slotRing';

/** What bounds the memory of a streamed body, and how far a thread can be ahead of the network. */
const slotCount = 4;

/**
 * Runs one job in a thread that does nothing else meanwhile, and settles with what it returned or threw. When `signal` is aborted the
 * job is asked to tidy up, and the promise rejects with the signal's reason as soon as the thread has ended, after 200 ms at the latest.
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
 * The bytes that one job emits, as they are taken: at most 2 MiB wait, in memory that is used again, so each piece is valid only
 * until the next is asked for. Leaving the iteration early, or aborting `signal`, ends the thread. An error of the job is thrown
 * by the iteration.
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
