import assert from 'node:assert/strict';
import { answerColumn } from '../../../../../src/features/requests/answers/answerPresentation';

describe('features/requests/answers/answerColumn', () => {
  const behindId = (text: string) => text.slice(0, answerColumn(text));

  it('is after the ID that a request starts with', () => {
    assert.equal(behindId('{"custom_id":"a","params":{}}'), '{"custom_id":"a"');
    assert.equal(behindId('  { "custom_id" : "a \\" b" ,"params":{}}'), '  { "custom_id" : "a \\" b"');
  });

  it('is 0 for a request that starts differently, or whose ID ends off screen', () => {
    assert.equal(answerColumn('{"params":{"custom_id":"not this"},"custom_id":"a"}'), 0);
    assert.equal(answerColumn('{"model":"m"}'), 0);
    assert.equal(answerColumn(`{"custom_id":"${'a'.repeat(1000)}"}`), 0);
    assert.equal(answerColumn(''), 0);
  });

  it('takes the same time for a line of any length', () => {
    assert.equal(answerColumn(`{"custom_id":"a","params":"${'\\"'.repeat(1_000_000)}`), 16);
    assert.equal(answerColumn(`{"custom_id":"${'\\'.repeat(1_000_000)}`), 0);
  });
});
