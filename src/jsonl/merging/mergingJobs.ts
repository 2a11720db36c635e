import type { JoinedResults } from '../results/joinedResults';
import type { ResultsReport } from '../results/resultsReport';

export interface MergeSource {
  /** Oldest first. Of the answers to what the newest request of an id says the last success counts, or, without one, the last answer. */
  readonly generations: readonly (JoinedResults & {
    /** `lines.tsv` of the generation. */
    readonly linesPaths: readonly string[];
    /** How many entries each of them has at least; with fewer it is damaged. */
    readonly requestCounts?: readonly number[];
    /** Whether its lines are lines of the same file as those of the first one. */
    readonly isSameSource: boolean;
    /** Per list of lines what its requests said; absent where they cannot say anything else than those before: parts of one file. */
    readonly words?: readonly SentWords[];
    /** Whether it was written from results and sent as written: it stands for the requests before it, whatever was raised in them. */
    readonly isRetry?: boolean;
    /** What was found when these were fetched or merged: what of it is not in the joined file is told again. */
    readonly report?: ResultsReport;
  })[];
  readonly joinedPath: string;
  readonly indexPath: string;
  /** Where to write what each request's result was in each generation. */
  readonly historyPath?: string;
}

/** What the requests of one submission said. */
export interface SentWords {
  /** Of the file: the same bytes say the same. */
  readonly sha256: string;
  /** `requests.hash`; without it nobody knows any more what its requests said. */
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
  /** How many entries it has at least. */
  readonly requestCount: number;
  /** The file that was sent, or what stands in its place; absent when nobody knows where it is. */
  readonly sent?: {
    readonly path: string;
    readonly fileBytes: number;
    readonly sha256: string;
    /** Which of its requests; without it all. */
    readonly selection?: { readonly firstLine: number; readonly lastLine: number; readonly digest: string };
  };
}

/** What became of a list of lines: it is as it was written, was written again from the file that was sent, or cannot be had any more. */
export type LinesFate = 'whole' | 'restored' | 'lost';

export interface ChangedSource {
  /** The file as it stands now. */
  readonly path: string;
  /** What was sent before, oldest first. */
  readonly before: readonly {
    readonly linesPath: string;
    /** `requests.hash`; without it nobody knows any more what its requests said. */
    readonly hashesPath?: string;
    /** Without them nothing of it was answered. */
    readonly results?: JoinedResults;
    /** Whether it was written from results and sent as written: a success of it is one of the request that it is a retry of, too. */
    readonly isRetry?: boolean;
  }[];
}

/**
 * Why a request is sent: it was never sent; it said something else when it was; it was sent as it stands and did not succeed; or it was
 * sent, and what it said then is not known any more.
 */
export const changeReasons = ['new', 'changed', 'failed', 'unknown'] as const;
export type ChangeReason = (typeof changeReasons)[number];

export interface ChangedRequests {
  /** SHA-256 of the file. */
  readonly sha256: string;
  /** Lines, from 0, ascending, of the requests without a kept success for what they say now. In shared memory. */
  readonly lines: Uint32Array;
  /** Per line of `lines` why: a place in `changeReasons`. In shared memory. */
  readonly why: Uint8Array;
  /** Counts over `lines`, and requests that need nothing. */
  readonly counts: Readonly<Record<ChangeReason | 'kept', number>>;
}
