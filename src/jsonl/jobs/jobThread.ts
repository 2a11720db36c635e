import { Worker } from 'node:worker_threads';
import { SourceChangedError } from '../files/fileState';
import type { FileProgress } from '../files/lineFile';
import { release } from './slotRing';
import type { HostMessage, JobOrder, ThreadMessage } from './threadProtocol';

/** How long an aborted job is waited for while it tidies up; the whole of a cancel settles within 300 ms. */
const tidyMs = 200;
/** After that it goes on by itself, so that nothing half-written stays on a slow disk; one that never ends is ended. */
const longestTidyMs = 10_000;
/** What a thread makes is short-lived: a larger nursery only keeps more of it. The lines themselves may be of any size. */
const resourceLimits = { maxYoungGenerationSizeMb: 4 };

/** Who wants a job, and listens meanwhile. */
export interface JobListener {
  readonly signal: AbortSignal | undefined;
  readonly onProgress?: ((progress: FileProgress) => void) | undefined;
  /** Each piece is valid until its slot is released. */
  readonly onChunk?: (chunk: Uint8Array) => void;
}

/**
 * A thread that does one job at a time. `onFree` is called when it has done one and can do another, `onEnded` when it is gone: it
 * ends after a job that failed or was cancelled, after one that made it large, and when it crashes, which rejects its job.
 */
export class JobThread {
  private readonly worker: Worker;
  private job: RunningJob | undefined;
  private hasEnded = false;
  private hasPractised = false;

  constructor(threadFile: string, onFree: (thread: JobThread) => void, onEnded: (thread: JobThread) => void) {
    // Nothing of the host's environment or arguments is needed in there.
    this.worker = new Worker(threadFile, { env: {}, execArgv: [], resourceLimits, name: 'jsonl' });
    this.worker.on('message', (message: ThreadMessage) => {
      if (this.job?.take(message) === 'done' && message.type === 'done') {
        this.job = undefined;
        if (message.isFree) {
          onFree(this);
        }
      }
    });
    this.worker.on('error', error => this.job?.fail(error));
    this.worker.once('exit', () => {
      this.hasEnded = true;
      const { job } = this;
      this.job = undefined;
      onEnded(this);
      job?.end();
    });
  }

  /** Does a job; nothing else may be under way. */
  run(order: Omit<JobOrder, 'aborted'>, listener: JobListener): Promise<unknown> {
    this.worker.ref();
    const aborted = new Int32Array(new SharedArrayBuffer(4));
    return new Promise((resolve, reject) => {
      const job = new RunningJob(order, listener, {
        resolve,
        reject,
        abort: () => {
          Atomics.store(aborted, 0, 1);
          // A job that waits for a slot gets one, and then sees that it is cancelled.
          release(order.ring);
          this.tell({ type: 'abort' });
        },
        end: () => this.tell({ type: 'end' }),
        terminate: () => void this.worker.terminate(),
      });
      this.job = job;
      this.tell({ type: 'run', order: { ...order, aborted } });
      job.follow();
    });
  }

  /** Loads what most jobs need; with `practiseIn`, a folder, it practises joining results there, once. */
  prepare(practiseIn?: string): void {
    if (!this.hasPractised) {
      this.hasPractised = practiseIn !== undefined;
      this.tell({ type: 'prepare', practiseIn });
    }
  }

  /** Keeps no process alive while it has nothing to do. */
  rest(): void {
    this.worker.unref();
  }

  /** Ends a thread that has no job. */
  end(): void {
    if (!this.hasEnded) {
      void this.worker.terminate();
    }
  }

  private tell(message: HostMessage): void {
    this.worker.postMessage(message);
  }
}

interface JobEnds {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** Asks the job to tidy up. */
  readonly abort: () => void;
  /** Asks the thread to end. */
  readonly end: () => void;
  readonly terminate: () => void;
}

/** One job under way, and its cancelling. */
class RunningJob {
  private timer: NodeJS.Timeout | undefined;
  private settle: () => void;

  constructor(
    private readonly order: Omit<JobOrder, 'aborted'>,
    private readonly listener: JobListener,
    private readonly ends: JobEnds,
  ) {
    this.settle = () => ends.reject(new Error(`The thread of the job ${order.name} ended before the job did.`));
  }

  private get isAborted(): boolean {
    return this.listener.signal?.aborted === true;
  }

  /** Begins to listen to the signal. */
  follow(): void {
    if (this.isAborted) {
      this.abort();
    } else {
      this.listener.signal?.addEventListener('abort', this.abort, { once: true });
    }
  }

  /** Takes what the thread says; `done` when the job has been settled by it. */
  take(message: ThreadMessage): 'done' | undefined {
    switch (message.type) {
      case 'progress':
        if (!this.isAborted) {
          this.listener.onProgress?.(message.progress);
        }
        return undefined;
      case 'chunk':
        this.listener.onChunk?.((this.order.ring.slots[message.slot] as Uint8Array).subarray(0, message.length));
        return undefined;
      case 'done':
        if (this.isAborted) {
          this.ends.end();
          return undefined;
        }
        this.listener.signal?.removeEventListener('abort', this.abort);
        this.ends.resolve(message.value);
        return 'done';
      case 'failed':
        this.fail(toError(message));
        return undefined;
    }
  }

  /** Remembers why the job fails, once its thread has ended. */
  fail(error: unknown): void {
    if (!this.isAborted) {
      this.settle = () => this.ends.reject(error);
    }
  }

  /** The thread is gone. */
  end(): void {
    clearTimeout(this.timer);
    this.listener.signal?.removeEventListener('abort', this.abort);
    this.settle();
  }

  private readonly abort = () => {
    this.settle = () => this.ends.reject(this.listener.signal?.reason);
    this.ends.abort();
    this.timer = setTimeout(() => {
      this.settle();
      this.timer = setTimeout(this.ends.terminate, longestTidyMs - tidyMs);
    }, tidyMs);
  };
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
