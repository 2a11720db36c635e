import { Worker } from 'node:worker_threads';
import { SourceChangedError } from '../files/fileState';
import type { FileProgress } from '../files/lineFile';
import { type HostMessage, type JobOrder, release, type ThreadMessage } from './threadProtocol';

/** Maximum time that an aborted job may clean up before its promise rejects, in milliseconds. A cancel must settle within 300 ms. */
const tidyMs = 200;
/**
 * Time after which the thread of an aborted job is terminated, in milliseconds. Long enough to delete partial files on a slow disk.
 */
const longestTidyMs = 10_000;
/**
 * Objects in a thread are short-lived, so a larger young generation only retains garbage longer. The lines themselves can have any size.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 4 };

/** Receiver of a job's progress and output, and the signal that cancels it. */
export interface JobListener {
  readonly signal: AbortSignal | undefined;
  readonly onProgress?: ((progress: FileProgress) => void) | undefined;
  /** Receives chunks. Each is valid until its slot is released. */
  readonly onChunk?: (chunk: Uint8Array) => void;
}

/**
 * Thread that runs one job at a time. `onFree` is called when it can run another one, `onEnded` when it has ended. It ends after a job that
 * failed, was cancelled or left it with too much memory. It also ends when it crashes, which rejects its job.
 */
export class JobThread {
  private readonly worker: Worker;
  private job: RunningJob | undefined;
  private hasEnded = false;
  private hasPractised = false;

  constructor(threadFile: string, onFree: (thread: JobThread) => void, onEnded: (thread: JobThread) => void) {
    // The thread needs neither the environment nor the arguments of the host.
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

  /** Runs a job. No other job may be running. */
  run(order: Omit<JobOrder, 'aborted'>, listener: JobListener): Promise<unknown> {
    this.worker.ref();
    const aborted = new Int32Array(new SharedArrayBuffer(4));
    return new Promise((resolve, reject) => {
      const job = new RunningJob(order, listener, {
        resolve,
        reject,
        abort: () => {
          Atomics.store(aborted, 0, 1);
          // Frees a slot, so that a job waiting for one notices the cancel.
          release(order.ring);
          this.post({ type: 'abort' });
        },
        end: () => this.post({ type: 'end' }),
        terminate: () => void this.worker.terminate(),
      });
      this.job = job;
      this.post({ type: 'run', order: { ...order, aborted } });
      job.follow();
    });
  }

  /** Loads the code that most jobs need. With the folder `practiseIn`, also does a trial join of results there, once. */
  prepare(practiseIn?: string): void {
    if (!this.hasPractised) {
      this.hasPractised = practiseIn !== undefined;
      this.post({ type: 'prepare', practiseIn });
    }
  }

  /** Lets the process exit while the thread is idle. */
  rest(): void {
    this.worker.unref();
  }

  end(): void {
    if (!this.hasEnded) {
      void this.worker.terminate();
    }
  }

  private post(message: HostMessage): void {
    this.worker.postMessage(message);
  }
}

interface JobEnds {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly abort: () => void;
  readonly end: () => void;
  readonly terminate: () => void;
}

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

  follow(): void {
    if (this.isAborted) {
      this.abort();
    } else {
      this.listener.signal?.addEventListener('abort', this.abort, { once: true });
    }
  }

  /** Handles a message of the thread. Returns `done` if it completed the job. */
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

  /** Sets the error to reject with when the thread has ended. */
  fail(error: unknown): void {
    if (!this.isAborted) {
      this.settle = () => this.ends.reject(error);
    }
  }

  /** Settles the job when its thread has ended. */
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
