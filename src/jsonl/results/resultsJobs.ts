import type { ComparingJobs } from '../comparing/comparingJobs';
import type { ExpectingJobs } from '../expecting/expectingJobs';
import type { ExportingJobs } from '../exporting/exportingJobs';
import type { MergingJobs } from '../merging/mergingJobs';
import type { QueryingJobs } from '../querying/queryingJobs';
import type { RetryingJobs } from '../retrying/retryingJobs';

/** Jobs on fetched results; what each takes and gives stands with it. */
export interface ResultsJobs extends MergingJobs, QueryingJobs, ExportingJobs, ComparingJobs, RetryingJobs, ExpectingJobs {}

/** Joined results and their index. */
export interface JoinedResults {
  readonly joinedPath: string;
  readonly indexPath: string;
}

/** A request file as it was submitted. */
export interface SubmittedFile {
  readonly path: string;
  /** `lines.tsv` of the submission. */
  readonly linesPath: string;
  /** SHA-256 at the time of submission. */
  readonly sha256: string;
}
