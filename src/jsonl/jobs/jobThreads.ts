import type { JobInput, JobName, JobOutput } from './jobTable';
import { type JobListener, JobThread } from './jobThread';
import { createRing, type JobOrder, release } from './threadProtocol';

/** Maximum number of idle threads. Two allow checking a file while results arrive. */
const maxIdle = 2;
/** Time until an idle thread ends if no thread has to be ready, in milliseconds. */
const idleMs = 30_000;

/**
 * Pool of job threads, each running one job at a time. Threads are reused, because for a small file, starting a thread and loading and
 * compiling its code is most of the cost. One thread stays ready if requested. Other idle threads end after half a minute.
 */
export class JobThreads {
  /** Idle threads. The most recently used thread is last and ends last. */
  private readonly idle: JobThread[] = [];
  private timer: NodeJS.Timeout | undefined;
  private isWanted = false;
  private practiseIn: string | undefined;
  private isDisposed = false;

  constructor(private readonly threadFile: string) {}

  /** Runs a job in an idle or a new thread. Rejects with the job's error, or if its thread crashed. */
  run(order: Omit<JobOrder, 'aborted'>, listener: JobListener): Promise<unknown> {
    return (this.idle.pop() ?? this.start()).run(order, listener);
  }

  /** Sets whether one idle thread stays ready, with `practiseIn` after a trial join (see `JobThread.prepare`). */
  keepReady(isWanted: boolean, practiseIn?: string): void {
    this.isWanted = isWanted;
    this.practiseIn = practiseIn;
    if (isWanted) {
      this.replenish();
      if (practiseIn !== undefined) {
        this.idle.at(-1)?.prepare(practiseIn);
      }
    } else {
      this.endSurplus();
    }
  }

  /** Ends the idle threads. Busy threads end after their job. */
  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.timer);
    for (const thread of this.idle.splice(0)) {
      thread.end();
    }
  }

  private start(): JobThread {
    return new JobThread(
      this.threadFile,
      thread => this.keep(thread),
      thread => this.forget(thread),
    );
  }

  private replenish(): void {
    if (this.isWanted && this.idle.length === 0 && !this.isDisposed) {
      const thread = this.start();
      thread.prepare(this.practiseIn);
      this.keep(thread);
    }
  }

  private keep(thread: JobThread): void {
    thread.rest();
    this.idle.push(thread);
    this.endSurplus();
  }

  private forget(thread: JobThread): void {
    const at = this.idle.indexOf(thread);
    if (at === -1) {
      this.replenish();
    } else {
      // A thread that ended while idle is not replaced, because a new thread would end too.
      this.idle.splice(at, 1);
    }
  }

  /** Ends the idle threads in excess of `maxIdle` immediately, and all others after `idleMs`. */
  private endSurplus(): void {
    this.endAllBut(this.isDisposed ? 0 : maxIdle);
    clearTimeout(this.timer);
    if (this.idle.length > (this.isWanted ? 1 : 0)) {
      this.timer = setTimeout(() => this.endAllBut(this.isWanted ? 1 : 0), idleMs).unref();
    }
  }

  private endAllBut(most: number): void {
    for (const thread of this.idle.splice(0, Math.max(0, this.idle.length - most))) {
      thread.end();
    }
  }
}

/** Number of slots for a streamed body. Limits the memory of the stream, and how far the thread can be ahead of the network. */
const slotCount = 4;

/**
 * Runs one job alone in a thread and settles with its result or error. If `signal` is aborted, the job is asked to clean up. The promise
 * then rejects with the signal's reason when the thread has ended, after at most 200 ms.
 */
export async function runInThread<K extends JobName>(
  threads: JobThreads,
  name: K,
  input: JobInput<K>,
  options: Omit<JobListener, 'onChunk'> = {},
): Promise<JobOutput<K>> {
  return (await threads.run({ name, input, ring: createRing(0) }, options)) as JobOutput<K>;
}

/**
 * Yields the bytes that a job emits. At most 2 MiB are buffered in memory that is reused, so each chunk is only valid until the next chunk
 * is requested. Leaving the iteration early or aborting `signal` ends the thread. The iteration throws the job's error.
 */
export async function* streamJob<K extends JobName>(
  threads: JobThreads,
  name: K,
  input: JobInput<K>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const arrived: Uint8Array[] = [];
  let wake: () => void = () => {};
  let ended = false;
  const leaving = new AbortController();
  const ring = createRing(slotCount);
  const listener: JobListener = {
    signal: AbortSignal.any([signal, leaving.signal]),
    onChunk: chunk => {
      arrived.push(chunk);
      wake();
    },
  };
  const end = threads.run({ name, input, ring }, listener).finally(() => {
    ended = true;
    wake();
  });
  // Prevents an unhandled rejection. The error is thrown below, after the last chunk.
  end.catch(() => {});
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
    await end;
  } finally {
    leaving.abort();
    await end.catch(() => {});
  }
}
