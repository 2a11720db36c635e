import assert from 'node:assert/strict';
import { foundIn } from './foundIn';

const says = (role: string, content: unknown) => ({ messages: [{ role, content }] });

describe('jsonl/rules/messageRules', () => {
  it('finds requests without a message, system messages and empty ones', () => {
    assert.deepEqual(foundIn('no-messages', { messages: [] }), ['warning messages []']);
    assert.deepEqual(foundIn('no-messages', {}), []);
    assert.deepEqual(foundIn('system-role', says('system', 'x')), ['warning messages.0.role "system"']);
    assert.deepEqual(foundIn('system-role', says('assistant', 'x')), []);
    assert.deepEqual(foundIn('empty-content', says('user', '')), ['error messages.0.content ""']);
    assert.deepEqual(foundIn('empty-content', says('user', ' ')), []);
    assert.deepEqual(foundIn('empty-content', says('user', [])), ['warning messages.0.content []']);
    assert.deepEqual(foundIn('empty-content', says('user', [{ type: 'text', text: 'x' }])), []);
    assert.deepEqual(foundIn('text-length', says('user', '')), []);
  });

  it('tells fields that do something else in a batch', () => {
    assert.deepEqual(foundIn('zero-max-tokens', { max_tokens: 0 }), ['information max_tokens 0']);
    assert.deepEqual(foundIn('zero-max-tokens', { max_tokens: 1 }), []);
    assert.deepEqual(foundIn('stream-in-batch', { stream: true }), ['warning stream true']);
    assert.deepEqual(foundIn('stream-in-batch', { stream: false }), ['hint stream false']);
    assert.deepEqual(foundIn('stream-in-batch', {}), []);
  });
});
