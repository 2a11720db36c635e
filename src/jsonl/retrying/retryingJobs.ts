import type { ErrorCluster } from '../answers/errorClusters';
import type { JsonPath } from '../fixes/jsonPlaces';
import type { JoinedResults } from '../results/joinedResults';
import type { SubmittedFile } from './submittedFile';

/** What to do with the requests of one cause. */
export type RetryAction = 'resend' | 'raise_max_tokens' | 'edit';

/** Why that is to be done; what people read is made of it. */
export type RetryReason =
  | 'not_done'
  | 'passing'
  | 'unpaid'
  | 'key'
  | 'limit_reached'
  | 'window_full'
  | 'paused'
  | 'refused'
  | 'rejected'
  | 'empty'
  | 'unknown';

/** One change of a request that mends what made it fail. Bounds never move a number the other way. */
export type RequestChange =
  | { readonly kind: 'raise_max_tokens' | 'lower_max_tokens'; readonly to: number }
  /** `max_tokens` of each to the next sensible value within what its model allows, as far as that is known: `least` to `most` in all. */
  | {
      readonly kind: 'raise_each';
      readonly bounds: readonly (readonly [model: string, tokens: number])[];
      readonly least: number;
      readonly most: number;
    }
  | { readonly kind: 'set_model'; readonly model: string }
  /** A field of `params`. */
  | { readonly kind: 'remove'; readonly path: JsonPath };

export interface RetryPlanSource extends JoinedResults {
  /** What was sent, oldest first. A request is taken from the newest file that still has its id. */
  readonly files: readonly SubmittedFile[];
  /** `lines.tsv` of batches that follow and have no results yet: what they hold is not planned again. */
  readonly underWay: readonly string[];
  /** Most `max_tokens` by model, as far as it is known. */
  readonly mostTokens: readonly (readonly [model: string, tokens: number])[];
  /** Milliseconds of this machine's clock when the results ended and when the plan is made, for tokens that expire. */
  readonly endedAt: number | undefined;
  readonly now: number;
}

/** Requests of a plan. Both columns are in shared memory and of one length; `gone` requests are not in them. */
export interface PlannedRequests {
  /** Pairs: place of the file in `files`, number of the request in its `lines.tsv`. */
  readonly places: Uint32Array;
  /** The line, from 0, on which each stands in its file now. */
  readonly lines: Uint32Array;
}

/** The requests of a group to one model, and the least and the most `max_tokens` of one. */
export interface RetryModel {
  readonly model: string;
  readonly requests: number;
  readonly leastOfOne: number;
  readonly mostOfOne: number;
}

/** Requests that failed, or whose answer is not good, for one cause. */
export interface RetryGroup extends Omit<ErrorCluster, 'kind'>, PlannedRequests {
  readonly kind: ErrorCluster['kind'] | 'missing';
  readonly stopReason: string | undefined;
  readonly action: RetryAction;
  readonly reason: RetryReason;
  /** Sending these as proposed is worth its price. */
  readonly isSensible: boolean;
  /** Answers the cause; for `choose_model` the user has to say which. */
  readonly remedy: RequestChange | { readonly kind: 'choose_model' } | undefined;
  /** The most `max_tokens` that all of its models allow, as far as it is known. */
  readonly mostAllowed?: number;
  /** Requests that stand in no file any more. */
  readonly gone: number;
  /** Most used model first, at most 20. */
  readonly models: readonly RetryModel[];
  /** Refusals that came with a credit for a fallback model. */
  readonly credit: FallbackCredit | undefined;
}

/** Tokens that make a retry cheaper; they themselves are never handed out. */
export interface FallbackCredit {
  readonly count: number;
  /** Milliseconds since 1970 at which the last of them is certainly used up; undefined when all are. */
  readonly usableUntil: number | undefined;
  /** Models that the service recommends instead. */
  readonly models: readonly string[];
}

export interface RetryPlan {
  /** The largest first. */
  readonly groups: readonly RetryGroup[];
  /** Requests that need nothing. */
  readonly kept: number;
  /** Requests that a batch under way holds. */
  readonly underWay: number;
  /** Files that are not there or not what was sent; places in `files`. */
  readonly changedFiles: readonly number[];
}

export interface RetryWriteSource {
  readonly files: readonly SubmittedFile[];
  readonly groups: readonly { readonly change: RequestChange | undefined; readonly places: Uint32Array }[];
  /** Requests that are written as they stand, chosen by their answers. */
  readonly answered?: AnsweredRows;
  readonly outPath: string;
}

/** Rows of joined results, in shared memory. */
export interface AnsweredRows extends JoinedResults {
  readonly rows: Uint32Array;
}

export interface RetryWritten {
  readonly written: number;
  readonly sha256: string;
  /** Requests of the groups that stood in their files no more. */
  readonly gone: number;
}
