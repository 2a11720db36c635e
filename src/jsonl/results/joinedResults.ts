import type { RequestCounts } from '../../contract/requestCounts';
import type { ResultsReport } from './resultsReport';

/** Joined results and their index. */
export interface JoinedResults {
  readonly joinedPath: string;
  readonly indexPath: string;
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
