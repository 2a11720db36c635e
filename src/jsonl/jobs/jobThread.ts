import { Worker } from 'node:worker_threads';
import { SourceChangedError } from '../files/fileState';
import type { FileProgress } from '../files/lineFile';
import { type HostMessage, type JobOrder, release, type ThreadMessage } from './threadProtocol';

/** Maximum time that an aborted job may clean up before its promise rejects, in milliseconds. A cancel must settle within 300 ms. */
const tidyMs = 200;
/** Time after which the thread of an aborted job is terminated, in milliseconds. Long enough to delete partial files on a slow disk. */
const longestTidyMs = 10_000;
/** Memory limits of a thread. Its objects are short-lived, so a larger young generation would only retain garbage. */
const resourceLimits = { maxYoungGenerationSizeMb: 4 };

/** Receiver of a job's progress and output, and the signal that cancels it. */
export interface JobListener {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: FileProgress) => void;
  /** Receives chunks. Each is valid until its slot is released. */
  readonly onChunk?: (chunk: Uint8Array) => void;
}

/**
 * Thread that runs one job at a time. Calls `onFree` when it can run another job, and `onEnded` when the thread has ended. Ends after a job
 * that failed, was cancelled or used too much memory. A crash ends the thread and rejects its job.
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
      if (this.job?.take(message) === true) {
        this.job = undefined;
        if (message.type === 'done' && message.isFree) {
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
    return new Promise((resolve, reject) => {
      this.job = new RunningJob(this.worker, order, listener, resolve, reject);
    });
  }

  /** Loads the code that most jobs need. With `practiseIn`, also does one trial join of results in that folder. */
  prepare(practiseIn?: string): void {
    if (!this.hasPractised) {
      this.hasPractised = practiseIn !== undefined;
      post(this.worker, { type: 'prepare', practiseIn });
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
}

function post(worker: Worker, message: HostMessage): void {
  worker.postMessage(message);
}

class RunningJob {
  private readonly aborted = new Int32Array(new SharedArrayBuffer(4));
  private timer: NodeJS.Timeout | undefined;
  private settle: () => void;

  constructor(
    private readonly worker: Worker,
    private readonly order: Omit<JobOrder, 'aborted'>,
    private readonly listener: JobListener,
    private readonly resolve: (value: unknown) => void,
    private readonly reject: (error: unknown) => void,
  ) {
    this.settle = () => reject(new Error(`The thread of the job ${order.name} ended before the job did.`));
    post(worker, { type: 'run', order: { ...order, aborted: this.aborted } });
    if (this.isAborted) {
      this.abort();
    } else {
      listener.signal?.addEventListener('abort', this.abort, { once: true });
    }
  }

  private get isAborted(): boolean {
    return this.listener.signal?.aborted === true;
  }

  /** Handles a message of the thread. Returns true if the message completed the job. */
  take(message: ThreadMessage): boolean {
    switch (message.type) {
      case 'progress':
        if (!this.isAborted) {
          this.listener.onProgress?.(message.progress);
        }
        return false;
      case 'chunk':
        this.listener.onChunk?.((this.order.ring.slots[message.slot] as Uint8Array).subarray(0, message.length));
        return false;
      case 'failed':
        this.fail(toError(message));
        return false;
      case 'done':
        if (this.isAborted) {
          post(this.worker, { type: 'end' });
          return false;
        }
        this.listener.signal?.removeEventListener('abort', this.abort);
        this.resolve(message.value);
        return true;
    }
  }

  /** Sets the error to reject with when the thread has ended. */
  fail(error: unknown): void {
    if (!this.isAborted) {
      this.settle = () => this.reject(error);
    }
  }

  /** Settles the job when its thread has ended. */
  end(): void {
    clearTimeout(this.timer);
    this.listener.signal?.removeEventListener('abort', this.abort);
    this.settle();
  }

  private readonly abort = () => {
    this.settle = () => this.reject(this.listener.signal?.reason);
    Atomics.store(this.aborted, 0, 1);
    // Frees a slot, so that a job waiting for a slot notices the cancel.
    release(this.order.ring);
    post(this.worker, { type: 'abort' });
    this.timer = setTimeout(() => {
      this.settle();
      this.timer = setTimeout(() => void this.worker.terminate(), longestTidyMs - tidyMs);
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
