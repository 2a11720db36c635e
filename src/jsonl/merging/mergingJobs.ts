import type { JoinedResults } from '../results/joinedResults';
import type { ResultsReport } from '../results/resultsReport';

export interface MergeSource {
  /** Oldest first. The last success for the newest request of an id wins, or else its last answer. */
  readonly generations: readonly (JoinedResults & {
    /** `lines.tsv` of the generation. */
    readonly linesPaths: readonly string[];
    /** Minimum number of entries in each of them. One with fewer is damaged. */
    readonly requestCounts?: readonly number[];
    /** True if its lines are lines of the same file as those of the first one. */
    readonly isSameSource: boolean;
    /** By list of lines: the hashes of its requests. Missing for parts of one file, whose requests can't differ. */
    readonly words?: readonly SentRequestFile[];
    /** True if it is an unchanged file of retries: it counts for the requests that it retries, even if their `max_tokens` was raised. */
    readonly isRetry?: boolean;
    /** Report of fetching or merging these results. Findings that the joined file doesn't show are repeated. */
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
  /** The file that was sent, or a copy of it. Missing if its path is unknown. */
  readonly sent?: {
    readonly path: string;
    readonly fileBytes: number;
    readonly sha256: string;
    /** The requests that were sent. Without it, all of them. */
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
    /** Without results, none of its requests succeeded. */
    readonly results?: JoinedResults;
    /** True if it is an unchanged file of retries: a success counts for the request that it retries, too. */
    readonly isRetry?: boolean;
  }[];
}

/**
 * Why a request is sent: it is new, it has changed since it was sent, it was sent unchanged without success, or the content that was sent
 * is unknown.
 */
export const changeReasons = ['new', 'changed', 'failed', 'unknown'] as const;
export type ChangeReason = (typeof changeReasons)[number];

export interface ChangedRequests {
  readonly sha256: string;
  /** 0-based lines, ascending, of the requests without a success for their current content. In shared memory. */
  readonly lines: Uint32Array;
  /** By line of `lines`: an index into `changeReasons`. In shared memory. */
  readonly why: Uint8Array;
  /** Counts of `lines` by reason, and of requests that need nothing. */
  readonly counts: Readonly<Record<ChangeReason | 'kept', number>>;
}
