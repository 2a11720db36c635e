import type { MessageBatch } from '../../../client/schemas/messageBatches';
import type { ResultsReport } from '../../../jsonl/resultsReport';

/**
 * Where a submission stands. `sending` is written before the request leaves; a `sending` whose window has ended is
 * treated as `unknown`. `unknown`: bytes left and no verdict came back; the user decides.
 */
export type SubmissionState = 'sending' | 'created' | 'unknown' | 'failed' | 'abandoned';

/** One submit of one file, written down on this machine before its request leaves. */
export interface Submission {
  readonly id: string;
  readonly connection: string;
  /** Scheme, host and port the request went to. */
  readonly origin: string;
  /** The file it was made from, as a URI string. */
  readonly source: string;
  /** True when what was sent stood in the editor and not on disk: a copy of it is kept in the submission's folder. */
  readonly fromEditor?: boolean;
  readonly fileBytes: number;
  readonly sha256: string;
  readonly requestCount: number;
  readonly bodyBytes: number;
  /** Model name to number of requests, most used first, at most 100; absent in records of older versions. */
  readonly models?: readonly (readonly [model: string, requests: number])[];
  readonly state: SubmissionState;
  /** RFC 3339, this machine's clock. */
  readonly startedAt: string;
  readonly batchId?: string;
  readonly requestId?: string;
  /** Why it failed or is unknown, in the words shown to the user. */
  readonly problem?: string;
  /** The batch as last seen. */
  readonly batch?: MessageBatch;
  /** Set when the user deleted the batch or it is gone from the service. */
  readonly deleted?: boolean;
  readonly results?: FetchedResults;
}

/** Results that were fetched, verified and joined. Paths are of this machine. */
export interface FetchedResults {
  readonly joinedPath: string;
  readonly fetchedAt: string;
  readonly report: ResultsReport;
}
