import type { JoinedResults } from '../results/joinedResults';
import type { ResultsReport } from '../results/resultsReport';

export interface MergeSource {
  /** Results to merge, oldest first. For each id, the last success for its newest request wins, or the last answer without a success. */
  readonly generations: readonly (JoinedResults & {
    /** Paths of the `lines.tsv` files of the generation. */
    readonly linesPaths: readonly string[];
    /** Minimum number of entries in each of `linesPaths`. A file with fewer entries is damaged. */
    readonly requestCounts?: readonly number[];
    /** True if the generation was sent from the same file as the first one. */
    readonly isSameSource: boolean;
    /** Content of the requests in each of `linesPaths`. Missing for parts of one file, whose requests can't differ. */
    readonly words?: readonly SentRequestFile[];
    /**
     * True if the generation was sent from an unchanged file of retries. Its answers count for the requests that it retries, even with a
     * raised `max_tokens`.
     */
    readonly isRetry?: boolean;
    /** Report of fetching or merging these results. Its findings that the joined file doesn't contain are added to the merged report. */
    readonly report?: ResultsReport;
  })[];
  readonly joinedPath: string;
  readonly indexPath: string;
  /** Path for the history: the status of each request in each generation. */
  readonly historyPath?: string;
}

/** Content of the requests of one submission. */
export interface SentRequestFile {
  /** SHA-256 of the file. The same bytes have the same requests. */
  readonly sha256: string;
  /** Path of `requests.hash`. Without it, the content of the requests is unknown. */
  readonly hashesPath?: string;
}

export interface HashSource {
  readonly path: string;
  readonly linesPath: string;
  readonly sha256: string;
  readonly hashesPath: string;
}

export interface LinesSource {
  readonly linesPath: string;
  readonly requestCount: number;
  /** File that was sent, or a copy of it. Missing if its path is unknown. */
  readonly sent?: {
    readonly path: string;
    readonly fileBytes: number;
    readonly sha256: string;
    /** Requests that were sent. If missing, all requests of the file were sent. */
    readonly selection?: { readonly firstLine: number; readonly lastLine: number; readonly digest: string };
  };
}

/** State of a list of lines: intact, restored from the file that was sent, or lost. */
export type LinesFate = 'whole' | 'restored' | 'lost';

export interface ChangedSource {
  readonly path: string;
  /** Earlier submissions, oldest first. */
  readonly before: readonly {
    readonly linesPath: string;
    /** Path of `requests.hash`. Without it, the content of the requests is unknown. */
    readonly hashesPath?: string;
    /** Results of the submission. If missing, none of its requests succeeded. */
    readonly results?: JoinedResults;
    /** True if the submission is an unchanged file of retries. A success also counts for the request that was retried. */
    readonly isRetry?: boolean;
  }[];
}

/**
 * Reasons to send a request: it is new, it has changed since it was sent, it was sent unchanged without success, or the sent content is
 * unknown.
 */
export const changeReasons = ['new', 'changed', 'failed', 'unknown'] as const;
export type ChangeReason = (typeof changeReasons)[number];

export interface ChangedRequests {
  readonly sha256: string;
  /** 0-based lines, ascending, of the requests without a success for their current content. In shared memory. */
  readonly lines: Uint32Array;
  /** Reason for each of `lines`, as an index into `changeReasons`. In shared memory. */
  readonly why: Uint8Array;
  /** Number of `lines` by reason, and of requests that don't have to be sent. */
  readonly counts: Readonly<Record<ChangeReason | 'kept', number>>;
}
