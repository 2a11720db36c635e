import type { StreamedBody } from '../../contract/streamedBody';
import type { BatchFileReport, BatchLimits, CheckTerms } from '../checking/batchFileReport';
import type { RequestBodySource, SelectedRequests } from '../checking/requestPlan';
import type { FileProgress } from '../files/lineFile';
import type { FoundLine, LineWriting, WantedFileLine } from '../pretty/lineJobs';
import type { JoinedFile, JoinSource } from '../results/joinedResults';
import type { FileSurvey, MarkReport, MarkSource, PrimerReport, PrimerSource, SurveyOptions } from '../survey/fileSurvey';
import type { JobInput, JobName, JobOutput } from './jobTable';

export interface JobOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: FileProgress) => void;
}

/** What a thread is kept ready for. */
export type ReadyReason = 'openRequestFiles' | 'openSheets' | 'runningBatches';

/** CPU work on files, each job in a thread that does nothing else meanwhile and knows nothing of what it did before. */
export interface JsonlJobs {
  /** Reads, checks and hashes a request file. */
  checkFile(path: string, terms: CheckTerms, options?: JobOptions): Promise<BatchFileReport>;
  /** The create body of a checked file. Throws `SourceChangedError` while it streams when the file changed. */
  requestBody(source: RequestBodySource): StreamedBody;
  /** What a body of some requests of a checked file takes. Throws when a line holds no request, or the file was not checked here. */
  selectRequests(report: BatchFileReport, lines: Uint32Array): SelectedRequests;
  /**
   * Cuts a checked file, or these lines of it, into parts that are each as full as `limits` allow, in order. Throws as
   * `selectRequests` does, and when a request alone is over the limits.
   */
  cutRequests(report: BatchFileReport, limits: BatchLimits, lines?: Uint32Array): readonly SelectedRequests[];
  /** Verifies a raw results file against the line map and the batch's counts, and joins it in input order. */
  joinResults(source: JoinSource, options?: JobOptions): Promise<JoinedFile>;
  /** Estimates tokens, finds shared prompt prefixes and sensitive texts. Lines that are no requests are skipped and counted. */
  surveyFile(path: string, survey: SurveyOptions, options?: JobOptions): Promise<FileSurvey>;
  /** Writes a copy in which the requests that share a prefix have `cache_control` on its last block; other bytes stay. */
  markPrefixes(source: MarkSource, options?: JobOptions): Promise<MarkReport>;
  /** Finds one line of a file; undefined when there is none. */
  findLine(wanted: WantedFileLine, options?: JobOptions): Promise<FoundLine | undefined>;
  /** Writes a file anew with one line replaced or added, and answers its number. Throws `SourceChangedError` when it is no longer what it was. */
  writeLine(writing: LineWriting, options?: JobOptions): Promise<number>;
  /** Writes a request for each prefix that fills the cache and generates nothing. Throws `SourceChangedError` when one is gone. */
  writePrimer(source: PrimerSource, options?: JobOptions): Promise<PrimerReport>;
  /** Builds from rows, converts, splits, merges, shuffles, samples, finds duplicates, fixes, makes ids. */
  run<K extends JobName>(name: K, input: JobInput<K>, options?: JobOptions): Promise<JobOutput<K>>;
  /** Keeps a thread ready, from a second after the first `reason` that wants one until the last no longer does. */
  keepReady(reason: ReadyReason, isWanted: boolean): void;
  /** Ends the threads that have no job; the others end with theirs. */
  dispose(): void;
}
