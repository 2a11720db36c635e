import type { ErrorCluster } from '../answers/errorClusters';
import type { JsonPath } from '../fixes/jsonParts';
import type { JoinedResults } from '../results/joinedResults';
import type { SubmittedFile } from './submittedFile';

/** Advised action for the requests of one cause. */
export type RetryAction = 'resend' | 'raise_max_tokens' | 'edit';

/** Reason for the advice. Its text is derived from it. */
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

/** Change to a request that fixes its error. Raising never lowers a number, and lowering never raises one. */
export type RequestChange =
  | { readonly kind: 'raise_max_tokens' | 'lower_max_tokens'; readonly to: number }
  /** Raises `max_tokens` of each request to a sensible value within the known limit of its model, from `least` to `most`. */
  | {
      readonly kind: 'raise_each';
      readonly bounds: readonly (readonly [model: string, tokens: number])[];
      readonly least: number;
      readonly most: number;
    }
  | { readonly kind: 'set_model'; readonly model: string }
  /** Removes a field of `params`. */
  | { readonly kind: 'remove'; readonly path: JsonPath };

export interface RetryPlanSource extends JoinedResults {
  /** Submitted files, oldest first. A request is taken from the newest file that still has its id. */
  readonly files: readonly SubmittedFile[];
  /** `lines.tsv` of later batches without results yet. Their requests are not planned again. */
  readonly underWay: readonly string[];
  /** Maximum `max_tokens` by model, if known. */
  readonly mostTokens: readonly (readonly [model: string, tokens: number])[];
  /** Times by this machine's clock, in milliseconds since 1970. They decide whether the tokens of refusals have expired. */
  readonly endedAt: number | undefined;
  readonly now: number;
}

/** Requests of a plan, without those that are `gone`. Both columns are in shared memory. */
export interface PlannedRequests {
  /** Pairs of a file, as an index into `files`, and the number of a request in its `lines.tsv`. */
  readonly places: Uint32Array;
  /** Current 0-based line of each request in its file. */
  readonly lines: Uint32Array;
}

/** Requests of a group to one model, with their lowest and highest `max_tokens`. */
export interface RetryModel {
  readonly model: string;
  readonly requests: number;
  readonly minOfOne: number;
  readonly maxOfOne: number;
}

/** Requests without a good answer for one cause. */
export interface RetryGroup extends Omit<ErrorCluster, 'kind'>, PlannedRequests {
  readonly kind: ErrorCluster['kind'] | 'missing';
  readonly stopReason: string | undefined;
  readonly action: RetryAction;
  readonly reason: RetryReason;
  /** True if the proposed retry is worth its price. Such groups are preselected. */
  readonly isSensible: boolean;
  /** Change that fixes the cause. For `choose_model`, the user has to choose the model. */
  readonly remedy: RequestChange | { readonly kind: 'choose_model' } | undefined;
  /** Lowest known limit of `max_tokens` among the models. */
  readonly maxAllowed?: number;
  /** Number of requests that are no longer in any file. */
  readonly gone: number;
  /** Models of the requests, most used first, at most 20. */
  readonly models: readonly RetryModel[];
  /** Credit for a fallback model from refusals. */
  readonly credit: FallbackCredit | undefined;
}

/** Tokens that make a retry cheaper. The tokens themselves are never exposed. */
export interface FallbackCredit {
  readonly count: number;
  /** Upper bound of the time at which the tokens expire, in milliseconds since 1970. `undefined` if unknown or if all have expired. */
  readonly usableUntil: number | undefined;
  readonly models: readonly string[];
}

export interface RetryPlan {
  /** Groups of requests, largest first. */
  readonly groups: readonly RetryGroup[];
  readonly kept: number;
  /** Number of requests in batches without results yet. */
  readonly underWay: number;
  /** Indexes into `files` of the files that are missing or have changed since they were sent. */
  readonly changedFiles: readonly number[];
}

export interface RetryWriteSource {
  readonly files: readonly SubmittedFile[];
  readonly groups: readonly { readonly change: RequestChange | undefined; readonly places: Uint32Array }[];
  /** Requests that are written unchanged, selected by their answers. */
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
  /** Number of requests of the groups that are no longer in their files. */
  readonly gone: number;
}
