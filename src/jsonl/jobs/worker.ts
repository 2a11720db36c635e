import { setPriority } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import type { FileHash } from '../files/fileHash';
import type { JobContext, SlotWriter } from '../files/jobContext';
import type { FileProgress } from '../files/lineFile';
import { jobs } from './jobTable';
import { JobThreads, runInThread } from './jobThreads';
import { type HostMessage, type JobOrder, jobPriority, type SlotRing, type ThreadMessage } from './threadProtocol';

/** Minimum time between two progress messages, in milliseconds. */
const progressEveryMs = 50;

/**
 * Maximum memory of a thread that is reused, in bytes. A larger thread ends after its job, so that a large file uses memory only while it
 * is processed. A check of 100,000 requests with a problem each leaves up to 84 MiB.
 */
const maxReusedBytes = 96 * 1024 * 1024;

type Port = NonNullable<typeof parentPort>;

function serve(port: Port): void {
  let controller: AbortController | undefined;
  port.on('message', (message: HostMessage) => {
    switch (message.type) {
      case 'prepare':
        // A module that fails to load will make the job fail. A failed trial join has no effect.
        prepare(message.practiseIn).catch(() => {});
        break;
      case 'run':
        controller = new AbortController();
        void run(port, message.order, controller.signal);
        break;
      case 'abort':
        controller?.abort();
        break;
      case 'end':
        port.close();
        break;
    }
  });
}

async function prepare(practiseIn: string | undefined): Promise<void> {
  await Promise.all([import('../checking/batchFile'), import('../body/emitRequestBody'), import('../results/resultsJoin')]);
  if (practiseIn !== undefined) {
    await (await import('../results/practiseJoin')).practiseJoin(practiseIn);
  }
}

async function run(port: Port, { name, input, aborted, ring }: JobOrder, signal: AbortSignal): Promise<void> {
  const post = (message: ThreadMessage) => port.postMessage(message);
  const throwIfAborted = () => {
    if (Atomics.load(aborted, 0) !== 0) {
      throw new DOMException('The job was cancelled.', 'AbortError');
    }
  };
  let reportedAt = Number.NEGATIVE_INFINITY;
  let latest: FileProgress | undefined;
  const context: JobContext = {
    signal,
    throwIfAborted,
    progress: progress => {
      const now = performance.now();
      latest = progress;
      if (now - reportedAt >= progressEveryMs) {
        reportedAt = now;
        post({ type: 'progress', progress });
      }
    },
    hashBeside: (path, leaving) => hashBeside(path, leaving),
    slots: createSlotWriter(ring, throwIfAborted, post),
  };
  try {
    const job = jobs[name] as (input: unknown, context: JobContext) => Promise<unknown>;
    const value = await job(input, context);
    if (latest !== undefined) {
      post({ type: 'progress', progress: { ...latest, doneBytes: latest.totalBytes } });
    }
    const isFree = Atomics.load(aborted, 0) === 0 && usedBytes() <= maxReusedBytes;
    post({ type: 'done', value, isFree });
    if (isFree) {
      return;
    }
  } catch (error) {
    post(toFailure(error));
  }
  // Closing the port ends the thread, so that no later job runs with the state of a failed job.
  port.close();
}

async function hashBeside(path: string, signal: AbortSignal): Promise<FileHash> {
  const threads = new JobThreads(import.meta.filename);
  try {
    return await runInThread(threads, 'hashFile', { path }, { signal });
  } finally {
    threads.dispose();
  }
}

/** Returns the memory used by this thread, in bytes: objects, and external memory such as WebAssembly memory. */
function usedBytes(): number {
  const { total_heap_size: heap, external_memory: beside } = getHeapStatistics();
  return heap + beside;
}

function createSlotWriter({ slots, free }: SlotRing, throwIfAborted: () => void, post: (message: ThreadMessage) => void): SlotWriter {
  let slot = -1;
  return {
    next: () => {
      while (Atomics.load(free, 0) === 0) {
        Atomics.wait(free, 0, 0);
      }
      throwIfAborted();
      Atomics.sub(free, 0, 1);
      slot = (slot + 1) % slots.length;
      return slots[slot] as Uint8Array;
    },
    emit: length => post({ type: 'chunk', slot, length }),
  };
}

function toFailure(thrown: unknown): ThreadMessage {
  const error: NodeJS.ErrnoException = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { name, message, stack, code } = error;
  return { type: 'failed', name, message, stack, code: typeof code === 'string' ? code : undefined };
}

/**
 * Lowers the priority of this thread, so that the host's frequent short work runs first when processors are few. Does nothing except on
 * Linux, because elsewhere the change would affect the whole process.
 */
function lowerPriority(): void {
  if (process.platform === 'linux') {
    try {
      setPriority(0, jobPriority);
    } catch {
      // A sandbox may forbid changing the priority. The job runs anyway.
    }
  }
}

if (parentPort !== null) {
  lowerPriority();
  serve(parentPort);
}
