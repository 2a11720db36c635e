import assert from 'node:assert/strict';
import { foundIn } from './foundIn';

const rule = 'thinking-budget';
const enabled = (budget: number) => ({ type: 'enabled', budget_tokens: budget });

describe('jsonl/rules/findPrefill', () => {
  it('finds a budget above max_tokens, and one that leaves nothing for the answer', () => {
    assert.deepEqual(foundIn(rule, { thinking: enabled(2047) }), []);
    assert.deepEqual(foundIn(rule, { thinking: enabled(2048) }), ['warning thinking.budget_tokens 2048']);
    assert.deepEqual(foundIn(rule, { thinking: enabled(2049) }), ['error thinking.budget_tokens 2049']);
    assert.deepEqual(foundIn(rule, { thinking: { type: 'disabled', budget_tokens: 9999 } }), []);
    assert.deepEqual(foundIn(rule, { thinking: { type: 'adaptive' } }), []);
  });

  it('judges a fallback by its overrides and the rest of the request', () => {
    const fallbacks = (fallback: object, more: object = {}) => foundIn(rule, { fallbacks: [{ model: 'm', ...fallback }], ...more });
    assert.deepEqual(fallbacks({ thinking: enabled(2047) }), []);
    assert.deepEqual(fallbacks({ thinking: enabled(3000) }), ['error fallbacks.0.thinking.budget_tokens 3000']);
    assert.deepEqual(fallbacks({ thinking: enabled(3000), max_tokens: 3001 }), []);
    assert.deepEqual(fallbacks({ max_tokens: 1500 }, { thinking: enabled(1600) }), ['error fallbacks.0.max_tokens 1500']);
    assert.deepEqual(fallbacks({ max_tokens: 1601 }, { thinking: enabled(1600) }), []);
    assert.deepEqual(fallbacks({ max_tokens: null, thinking: null }, { thinking: enabled(1600) }), []);
    assert.deepEqual(fallbacks({ thinking: { type: 'disabled' }, max_tokens: 1 }, { thinking: enabled(1600) }), []);
  });

  it('leaves invalid numbers to the rules about numbers', () => {
    assert.deepEqual(foundIn(rule, { max_tokens: -1, thinking: enabled(1024) }), []);
    assert.deepEqual(foundIn(rule, { max_tokens: '5', thinking: enabled(1024) }), []);
    assert.deepEqual(foundIn(rule, { thinking: { type: 'enabled', budget_tokens: '9999' } }), []);
    assert.deepEqual(foundIn(rule, { max_tokens: 0, thinking: enabled(1024) }), ['error thinking.budget_tokens 1024']);
  });
});
