import type { BatchFileReport, BatchLimits, FileProgress } from './batchFileReport';
import type { JoinSource, RequestBodySource, RetryReport, RetrySource } from './jobs';
import type { ResultsReport } from './resultsReport';

/** Every job a thread can do: what goes in (structured clone) and what comes out. */
export interface ThreadJobs {
  checkFile: { input: { readonly path: string; readonly limits: BatchLimits }; output: BatchFileReport };
  /** Emits the create body as chunks. */
  requestBody: { input: RequestBodySource; output: undefined };
  joinResults: { input: JoinSource; output: ResultsReport };
  writeRetryFile: { input: RetrySource; output: RetryReport };
}

export type JobName = keyof ThreadJobs;
export type JobOf<K extends JobName> = ThreadJobs[K];

/** What a job is given beside its input. */
export interface JobContext {
  /** Aborted when the job is cancelled, as soon as the thread comes round to its messages. */
  readonly signal: AbortSignal;
  /** For loops that never await: throws the signal's kind of error at once when the job was cancelled. */
  throwIfAborted(): void;
  /** Told to the host at most every 50 ms, and always when everything is done. */
  progress(progress: FileProgress): void;
  /** Hands over bytes, whose buffer is lost to the job, when the host has room for them. */
  emit(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
}

export type JobTable = {
  readonly [K in JobName]: (input: ThreadJobs[K]['input'], context: JobContext) => Promise<ThreadJobs[K]['output']>;
};

/** `workerData` of a thread. `aborted[0]` becomes 1 when the job is cancelled. */
export interface ThreadInput {
  readonly name: JobName;
  readonly input: unknown;
  readonly aborted: Int32Array;
}

/** What the host tells a thread. */
export type HostMessage = { readonly type: 'abort' } | { readonly type: 'credit'; readonly chunks: number };

/** What a thread tells the host. */
export type ThreadMessage =
  | { readonly type: 'progress'; readonly progress: FileProgress }
  | { readonly type: 'chunk'; readonly bytes: Uint8Array }
  | { readonly type: 'done'; readonly value: unknown }
  | {
      readonly type: 'failed';
      readonly name: string;
      readonly message: string;
      readonly stack: string | undefined;
      readonly code: string | undefined;
    };
