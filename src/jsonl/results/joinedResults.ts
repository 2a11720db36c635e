import type { RequestCounts } from '../../contract/requestCounts';
import type { ResultsReport } from './resultsReport';

export interface JoinedResults {
  readonly joinedPath: string;
  readonly indexPath: string;
}

export interface JoinSource {
  readonly rawPath: string;
  /** `Arrival.shared` of a raw file that is still being written. The file is read as it grows. Nothing is written until it is complete. */
  readonly arrival?: SharedArrayBuffer;
  /** Path of `lines.tsv` of the submission. If missing, results keep their order and no result can be missing. */
  readonly linesPath?: string;
  /** Minimum number of entries in `lines.tsv`. With fewer entries the file is damaged. */
  readonly requestCount?: number;
  /** Path of the joined results. The results are written to a temporary file in the same folder, fsynced, then renamed over this path. */
  readonly joinedPath: string;
  readonly indexPath: string;
  /** Source file of the requests. If set, each joined line includes its request, which is read from this file by line number. */
  readonly requestsPath?: string;
  /** SHA-256 of the source file at submission. If the hash differs, the join throws a `SourceChangedError`. */
  readonly sourceSha256?: string;
  /** Counts that the service reported for the ended batch. */
  readonly expectedCounts?: RequestCounts;
}

export interface JoinedFile {
  readonly report: ResultsReport;
  readonly joinedPath: string;
}
