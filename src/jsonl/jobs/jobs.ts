import type { RequestCounts } from '../../contract/requestCounts';
import type { StreamedBody } from '../../contract/streamedBody';
import type { ArrangingJobs } from '../arranging/arrangingJobs';
import type { BuildingJobs } from '../building/buildingJobs';
import type { BatchFileReport, BatchLimits, CheckTerms, FileProgress } from '../checking/batchFileReport';
import type { ConvertingJobs } from '../converting/convertingJobs';
import type { Standing } from '../files/publishing';
import type { RewriteJobs } from '../fixes/rewriteJob';
import type { FoundLine, LineWriting, WantedFileLine } from '../pretty/lineJobs';
import type { ResultsJobs } from '../results/resultsJobs';
import type { ResultsReport } from '../results/resultsReport';
import type { FileSurvey, MarkReport, MarkSource, PrimerReport, PrimerSource, SurveyOptions } from '../survey/fileSurvey';
import type { TablingJobs } from '../tabling/tablingJobs';

export interface JobOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: FileProgress) => void;
}

/** A file that was checked, and where its line map goes. */
export interface RequestBodySource {
  readonly path: string;
  /** What the check found; the body fails before its last byte when the file no longer is what was checked. */
  readonly report: BatchFileReport;
  /** `lines.tsv` to write: per request `line TAB custom_id LF`, lines from 0. It is on disk before the body's last byte is handed out. */
  readonly linesPath: string;
  /** With this, only these of its requests. */
  readonly selected?: SelectedRequests;
}

/** Some requests of a checked file. */
export interface SelectedRequests {
  /** Their lines, from 0, ascending. In shared memory. */
  readonly lines: Uint32Array;
  /** Bytes of a create body of these alone. */
  readonly bodyBytes: number;
  /** Model name to number of these requests, most used first. */
  readonly models: BatchFileReport['models'];
}

export interface JoinSource {
  /** The raw results file as it was fetched. */
  readonly rawPath: string;
  /** `Arrival.shared` of a raw file that is still being written: it is read as it comes, and nothing is written before it is whole. */
  readonly arrival?: SharedArrayBuffer;
  /** `lines.tsv` of the submission; without it the results keep their order and nothing can be missing. */
  readonly linesPath?: string;
  /** How many entries it has at least; with fewer it is damaged. */
  readonly requestCount?: number;
  /** Where the joined results go: written beside it, fsynced, then renamed over it. */
  readonly joinedPath: string;
  /** What stood there when that was decided: only that is replaced, else they take the next free number. Without it whatever stands there is. */
  readonly standing?: Standing;
  /** Where the index of the joined file goes. */
  readonly indexPath: string;
  /** With this, each joined line carries its request from that file, read by line. */
  readonly requestsPath?: string;
  /** SHA-256 of that file when it was submitted; with another one the join fails with `SourceChangedError`. */
  readonly sourceSha256?: string;
  /** Counts the service gave for the ended batch. */
  readonly expectedCounts?: RequestCounts;
}

/** Joined results, and where they are. */
export interface JoinedFile {
  readonly report: ResultsReport;
  readonly joinedPath: string;
}

/** Jobs that make files out of other files, or look through them; what each takes and gives stands with it. */
export interface FileJobs extends ArrangingJobs, BuildingJobs, ConvertingJobs, RewriteJobs, ResultsJobs, TablingJobs {}

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
  run<K extends keyof FileJobs>(name: K, input: FileJobs[K]['input'], options?: JobOptions): Promise<FileJobs[K]['output']>;
  /** Keeps a thread ready, from a second after the first `reason` that wants one until the last no longer does. */
  keepReady(reason: ReadyReason, isWanted: boolean): void;
  /** Ends the threads that have no job; the others end with theirs. */
  dispose(): void;
}

/** The file is no longer the one that was checked. */
export class SourceChangedError extends Error {
  override readonly name = 'SourceChangedError';
}
