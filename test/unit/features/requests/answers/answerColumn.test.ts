import assert from 'node:assert/strict';
import { answerColumn } from '../../../../../src/features/requests/answers/answerPresentation';

describe('features/requests/answers/answerColumn', () => {
  const behindId = (text: string) => text.slice(0, answerColumn(text));

  it('is behind the id that a request begins with', () => {
    assert.equal(behindId('{"custom_id":"a","params":{}}'), '{"custom_id":"a"');
    assert.equal(behindId('  { "custom_id" : "a \\" b" ,"params":{}}'), '  { "custom_id" : "a \\" b"');
  });

  it('is before a request that begins with something else, or whose id does not end on screen', () => {
    assert.equal(answerColumn('{"params":{"custom_id":"not this"},"custom_id":"a"}'), 0);
    assert.equal(answerColumn('{"model":"m"}'), 0);
    assert.equal(answerColumn(`{"custom_id":"${'a'.repeat(1000)}"}`), 0);
    assert.equal(answerColumn(''), 0);
  });

  it('costs the same however long a line is', () => {
    assert.equal(answerColumn(`{"custom_id":"a","params":"${'\\"'.repeat(1_000_000)}`), 16);
    assert.equal(answerColumn(`{"custom_id":"${'\\'.repeat(1_000_000)}`), 0);
  });
});
