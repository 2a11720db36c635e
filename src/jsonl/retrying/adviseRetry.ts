import type { ResultStatus } from '../../shared/results/resultStatus';
import type { RetryAction, RetryReason } from './retryingJobs';

/** The part of a result that decides about a retry. */
export interface RequestFate {
  readonly status: ResultStatus | 'missing';
  readonly stopReason: string | undefined;
  readonly errorType: string | undefined;
}

export interface RetryAdvice {
  readonly action: RetryAction;
  readonly reason: RetryReason;
  /** True if sending again as advised is certainly worth its price. */
  readonly isSensible: boolean;
}

const again = (reason: RetryReason, isSensible = true): RetryAdvice => ({ action: 'resend', reason, isSensible });
const editFirst = (reason: RetryReason): RetryAdvice => ({ action: 'edit', reason, isSensible: false });

/** Advice for each `error.type` of the contract. */
const byErrorType: ReadonlyMap<string, RetryAdvice> = new Map([
  ['overloaded_error', again('passing')],
  ['api_error', again('passing')],
  ['timeout_error', again('passing')],
  ['rate_limit_error', again('passing')],
  ['billing_error', again('unpaid', false)],
  ['authentication_error', again('key', false)],
  ['invalid_request_error', editFirst('rejected')],
  ['request_too_large', editFirst('rejected')],
  ['not_found_error', editFirst('rejected')],
  ['permission_error', editFirst('rejected')],
]);

const byStopReason: ReadonlyMap<string, RetryAdvice> = new Map([
  ['max_tokens', { action: 'raise_max_tokens', reason: 'limit_reached', isSensible: true }],
  ['model_context_window_exceeded', editFirst('window_full')],
  ['pause_turn', editFirst('paused')],
  ['refusal', editFirst('refused')],
]);

/** Returns the advice for a request, or `undefined` if its answer is good. */
export function adviseRetry({ status, stopReason, errorType }: RequestFate): RetryAdvice | undefined {
  switch (status) {
    case 'succeeded':
      return undefined;
    case 'cut_short':
    case 'refused':
      return byStopReason.get(stopReason ?? '') ?? editFirst('unknown');
    case 'empty':
      return again('empty', false);
    case 'expired':
    case 'canceled':
    case 'missing':
      return again('not_done');
    case 'failed':
      return byErrorType.get(errorType ?? '') ?? again('unknown', false);
    case 'other':
      return again('unknown', false);
  }
}
