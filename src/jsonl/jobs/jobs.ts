import type { StreamedBody } from '../../contract/streamedBody';
import type { BatchFileReport, BatchLimits, CheckTerms } from '../checking/batchFileReport';
import type { RequestBodySource, SelectedRequests } from '../checking/requestPlan';
import type { FileProgress } from '../files/lineFile';
import type { JobInput, JobName, JobOutput } from './jobTable';

export interface JobOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: FileProgress) => void;
}

/** Reason to keep a thread ready. */
export type ReadyReason = 'openRequestFiles' | 'openSheets' | 'runningBatches';

/** CPU-bound work on files. Each job runs alone in a thread and shares no state with earlier jobs. */
export interface JsonlJobs {
  /** Reads, checks and hashes a request file. */
  checkFile(path: string, terms: CheckTerms, options?: JobOptions): Promise<BatchFileReport>;
  /** Returns the create body of a checked file. The stream throws a `SourceChangedError` if the file has changed. */
  requestBody(source: RequestBodySource): StreamedBody;
  /**
   * Returns the body size and models of some requests of a checked file. Throws if a line holds no request, or if the file was not checked
   * by this object.
   */
  selectRequests(report: BatchFileReport, lines: Uint32Array): SelectedRequests;
  /**
   * Splits a checked file, or some of its lines, into parts that are as large as `limits` allow, in order. Throws if `selectRequests`
   * would, or if a single request exceeds the limits.
   */
  cutRequests(report: BatchFileReport, limits: BatchLimits, lines?: Uint32Array): readonly SelectedRequests[];
  /** Runs any job by its name. */
  run<K extends JobName>(name: K, input: JobInput<K>, options?: JobOptions): Promise<JobOutput<K>>;
  /** Keeps a thread ready while there is a reason to. Starts it a second after the first reason. */
  keepReady(reason: ReadyReason, isWanted: boolean): void;
  /** Ends the idle threads. Others end after their job. */
  dispose(): void;
}
