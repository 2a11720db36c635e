import assert from 'node:assert/strict';
import { toAnswerParts, toPlainAnswer } from '../../../../../src/features/requests/answers/answerParts';

const partsOf = (result: unknown) => toAnswerParts(JSON.stringify({ line: 1, custom_id: 'q', result }));
const textOf = (result: unknown) => toPlainAnswer(partsOf(result));

describe('features/requests/answers/answerParts', () => {
  it('reads the text of every kind of result', () => {
    const content = [
      { type: 'text', text: 'A' },
      { type: 'tool_use', name: 'f' },
    ];
    assert.equal(textOf({ type: 'succeeded', message: { content } }), 'A\n\n{\n  "type": "tool_use",\n  "name": "f"\n}');
    assert.equal(textOf({ type: 'errored', error: { type: 'error', error: { type: 'x', message: 'No' } } }), 'No');
    assert.equal(textOf({ type: 'errored', error: { odd: 1 } }), '{\n  "odd": 1\n}');
    assert.equal(textOf({ type: 'expired' }), '');
    assert.equal(textOf({ type: 'succeeded' }), '');
  });

  it('finds the model, the request ID of an error, and the reason of a refusal', () => {
    const message = { model: 'vendor-haiku-4-5', content: [], stop_details: { type: 'refusal', explanation: 'Not this.' } };
    assert.equal(partsOf({ type: 'succeeded', message }).model, 'vendor-haiku-4-5');
    assert.equal(partsOf({ type: 'succeeded', message }).explanation, 'Not this.');
    assert.equal(partsOf({ type: 'errored', error: { type: 'error', error: {}, request_id: 'req_1' } }).requestId, 'req_1');
  });

  it('masks secrets', () => {
    const content = [{ type: 'odd', authorization_token: 'abc', fallback_credit_token: 'def' }];
    assert.doesNotMatch(textOf({ type: 'succeeded', message: { content } }), /abc|def/);
  });
});
