import assert from 'node:assert/strict';
import { nextMaxTokens, remedyOf } from '../../../../src/jsonl/retrying/remedyOf';

describe('jsonl/retrying/remedyOf', () => {
  const rows: readonly (readonly [errorType: string, message: string, remedy: unknown])[] = [
    ['not_found_error', 'model: no-such-model', { kind: 'choose_model' }],
    ['not_found_error', 'File not found', undefined],
    ['invalid_request_error', 'model: nothing-5 does not exist', { kind: 'choose_model' }],
    [
      'invalid_request_error',
      'max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens for vendor-sonnet-5',
      { kind: 'lower_max_tokens', to: 8192 },
    ],
    ['invalid_request_error', 'max_tokens must be greater than thinking.budget_tokens (4096)', { kind: 'raise_max_tokens', to: 8192 }],
    ['invalid_request_error', 'temperature: vendor-opus-5 accepts only 1', { kind: 'remove', path: ['temperature'] }],
    ['invalid_request_error', 'top_k: not accepted by vendor-opus-5', { kind: 'remove', path: ['top_k'] }],
    ['invalid_request_error', 'foo: Extra inputs are not permitted', { kind: 'remove', path: ['foo'] }],
    ['invalid_request_error', 'params.messages.0.name: Extra inputs are not permitted', { kind: 'remove', path: ['messages', 0, 'name'] }],
    ['invalid_request_error', 'output_config: Unrecognized key: "colour"', { kind: 'remove', path: ['output_config', 'colour'] }],
    ['invalid_request_error', 'messages: at least one message is required', undefined],
    ['invalid_request_error', 'messages.0: Extra inputs are not permitted', undefined],
    ['invalid_request_error', '', undefined],
    ['permission_error', 'model: not allowed', undefined],
    ['overloaded_error', 'foo: Extra inputs are not permitted', undefined],
  ];
  for (const [errorType, message, remedy] of rows) {
    it(`returns ${JSON.stringify(remedy)} for "${message}" (${errorType})`, () => assert.deepEqual(remedyOf(errorType, message), remedy));
  }

  it('raises to the next power of two that is at least double, within the limit', () => {
    const steps: readonly (readonly [now: number, bound: number | undefined, next: number | undefined])[] = [
      [0, undefined, 256],
      [16, undefined, 256],
      [128, undefined, 256],
      [1000, undefined, 2048],
      [1024, undefined, 2048],
      [1025, undefined, 4096],
      [6000, 8192, 8192],
      [8192, 8192, undefined],
      [9000, 8192, undefined],
    ];
    assert.deepEqual(
      steps.map(([now, bound]) => [now, bound, nextMaxTokens(now, bound)]),
      steps,
    );
  });
});
