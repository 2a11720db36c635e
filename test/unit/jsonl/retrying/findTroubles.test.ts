import assert from 'node:assert/strict';
import { statusOf } from '../../../../src/jsonl/results/resultStatus';
import { adviseRetry, type RequestFate } from '../../../../src/jsonl/retrying/findTroubles';

const fate = (status: RequestFate['status'], more: Partial<RequestFate> = {}): RequestFate => ({
  status,
  stopReason: undefined,
  errorType: undefined,
  ...more,
});

describe('jsonl/retrying/findTroubles', () => {
  const errors: readonly (readonly [errorType: string | undefined, advice: string])[] = [
    ['overloaded_error', 'resend passing yes'],
    ['api_error', 'resend passing yes'],
    ['timeout_error', 'resend passing yes'],
    ['rate_limit_error', 'resend passing yes'],
    ['billing_error', 'resend unpaid no'],
    ['authentication_error', 'resend key no'],
    ['permission_error', 'edit rejected no'],
    ['not_found_error', 'edit rejected no'],
    ['invalid_request_error', 'edit rejected no'],
    ['request_too_large', 'edit rejected no'],
    ['__proto__', 'resend unknown no'],
    [undefined, 'resend unknown no'],
  ];
  const stops: readonly (readonly [stopReason: string | undefined, advice: string])[] = [
    ['end_turn', 'none'],
    ['stop_sequence', 'none'],
    ['tool_use', 'none'],
    ['compaction', 'none'],
    ['a_new_one', 'none'],
    [undefined, 'none'],
    ['max_tokens', 'raise_max_tokens limit_reached yes'],
    ['model_context_window_exceeded', 'edit window_full no'],
    ['pause_turn', 'edit paused no'],
    ['refusal', 'edit refused no'],
  ];
  const others: readonly (readonly [status: RequestFate['status'], advice: string])[] = [
    ['expired', 'resend not_done yes'],
    ['canceled', 'resend not_done yes'],
    ['missing', 'resend not_done yes'],
    ['other', 'resend unknown no'],
    ['empty', 'resend empty no'],
  ];
  const words = (given: RequestFate) => {
    const advice = adviseRetry(given);
    return advice === undefined ? 'none' : `${advice.action} ${advice.reason} ${advice.isSensible ? 'yes' : 'no'}`;
  };

  it('knows for every error type whether the same request can succeed later', () => {
    assert.deepEqual(
      errors.map(([errorType]) => [errorType, words(fate('failed', { errorType }))]),
      errors,
    );
  });

  it('knows for every stop reason whether the answer is good', () => {
    assert.deepEqual(
      stops.map(([stopReason]) => [
        stopReason,
        words(
          fate(
            statusOf('succeeded', stopReason, () => false),
            { stopReason },
          ),
        ),
      ]),
      stops,
    );
  });

  it('resends what was never processed', () => {
    assert.deepEqual(
      others.map(([status]) => [status, words(fate(status))]),
      others,
    );
  });
});
