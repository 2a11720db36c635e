import type { ErrorCluster } from '../querying/queryingJobs';
import type { JoinedResults, SubmittedFile } from '../resultsJobs';

/** Tells what is worth sending again, and writes it. */
export interface RetryingJobs {
  planRetry: { input: RetryPlanSource; output: RetryPlan };
  writeRetry: { input: RetryWriteSource; output: RetryWritten };
}

/** What to do with the requests of one cause. */
export type RetryAction = 'resend' | 'raise_max_tokens' | 'edit' | 'drop';

export interface RetryPlanSource extends JoinedResults {
  readonly files: readonly SubmittedFile[];
  /** Milliseconds of this machine's clock when the results ended and when the plan is made, for tokens that expire. */
  readonly endedAt: number | undefined;
  readonly now: number;
}

export interface RetryGroup extends ErrorCluster {
  readonly action: RetryAction;
  /** Every row of the joined file; of requests without an answer their lines. In shared memory. */
  readonly lines: Uint32Array;
  /** Tokens these would cost at most: what was read before, and what `max_tokens` allows after the action. */
  readonly inputTokens: number;
  readonly mostOutputTokens: number;
}

export interface RetryPlan {
  readonly groups: readonly RetryGroup[];
  /** Requests that need nothing. */
  readonly kept: number;
}

export interface RetryWriteSource {
  readonly files: readonly SubmittedFile[];
  /** The lines to write and what is done to each group of them. */
  readonly groups: readonly { readonly action: Exclude<RetryAction, 'drop'>; readonly lines: Uint32Array; readonly maxTokens?: number }[];
  readonly outPath: string;
}

export interface RetryWritten {
  readonly written: number;
  readonly sha256: string;
}
