import assert from 'node:assert/strict';
import { QuickLineCheck } from '../../../../src/jsonl/checking/quickLineCheck';
import { contractRules } from '../../../../src/jsonl/rules/ruleOptions';
import { foundIn, sound } from './foundIn';

const token = { fallback_credit_token: 'fct_1' };
const object = { fallback_credit_token: { token: 'fct_1' } };
const partial = (content: unknown) => ({
  messages: [
    { role: 'user', content: 'x' },
    { role: 'assistant', content },
  ],
});

describe('jsonl/rules/findCredit', () => {
  it('reports that a credit expires before a batch ends', () => {
    assert.deepEqual(foundIn('credit-expires', token), ['warning fallback_credit_token "fct_1"']);
    assert.deepEqual(foundIn('credit-expires', { fallback_credit_token: null }), []);
    assert.deepEqual(foundIn('credit-expires', {}), []);
  });

  it('finds a credit together with fallbacks, if both are set', () => {
    const rule = 'credit-with-fallbacks';
    assert.deepEqual(foundIn(rule, { ...token, fallbacks: 'default' }), ['error fallback_credit_token "fct_1"']);
    assert.deepEqual(foundIn(rule, { ...object, fallbacks: [{ model: 'm' }] }), ['error fallback_credit_token {"token":"fct_1"}']);
    assert.deepEqual(foundIn(rule, { ...token, fallbacks: null }), []);
    assert.deepEqual(foundIn(rule, { fallback_credit_token: null, fallbacks: 'default' }), []);
  });

  it('finds the object form if the connection sends no beta header for it', () => {
    const rule = 'credit-needs-beta';
    assert.deepEqual(foundIn(rule, object), []);
    assert.deepEqual(foundIn(rule, object, { betas: ['message-batches-2024-09-24'] }).length, 1);
    assert.deepEqual(foundIn(rule, object, { betas: ['fallback-credit-2026-07-01'] }), []);
    assert.deepEqual(foundIn(rule, token, { betas: [] }), []);
  });

  it('finds fields that a body with a partial answer at its end must not have', () => {
    const rule = 'credit-extended-form';
    const format = { type: 'json_schema', schema: {} };
    const extended = { ...token, ...partial('so far') };
    assert.deepEqual(foundIn(rule, extended), []);
    assert.deepEqual(foundIn(rule, { ...extended, output_format: format, output_config: { format } }).length, 2);
    assert.deepEqual(foundIn(rule, { ...extended, output_format: null, output_config: { effort: 'low' } }), []);
    assert.deepEqual(foundIn(rule, { ...extended, tool_choice: { type: 'any' } }), ['warning tool_choice {"type":"any"}']);
    assert.deepEqual(foundIn(rule, { ...extended, tool_choice: { type: 'tool', name: 'a' } }).length, 1);
    assert.deepEqual(foundIn(rule, { ...extended, tool_choice: { type: 'auto' } }), []);
    assert.deepEqual(foundIn(rule, { ...token, ...partial('so far ') }), ['warning messages.1.content "so far "']);
    const blocks = [
      { type: 'text', text: 'one ' },
      { type: 'text', text: 'two\n' },
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
    ];
    assert.deepEqual(foundIn(rule, { ...token, ...partial(blocks) }), ['warning messages.1.content.1.text "two\\n"']);
    assert.deepEqual(foundIn(rule, partial('so far ')), []);
    assert.deepEqual(foundIn(rule, { ...token, tool_choice: { type: 'any' } }), []);
  });
});

const rule = 'user-profile-conflict';
const userProfile = 'profile_1';

describe('jsonl/rules/findCredit findUserProfile', () => {
  it("finds a profile that contradicts the batch's", () => {
    assert.deepEqual(foundIn(rule, { user_profile_id: 'profile_2' }, { userProfile }), ['error user_profile_id "profile_2"']);
    assert.deepEqual(foundIn(rule, { user_profile_id: '' }, { userProfile }).length, 1);
    assert.deepEqual(foundIn(rule, { user_profile_id: userProfile }, { userProfile }), []);
    assert.deepEqual(foundIn(rule, { user_profile_id: null }, { userProfile }), []);
    assert.deepEqual(foundIn(rule, { user_profile_id: 'profile_2' }), []);
    assert.deepEqual(foundIn(rule, {}, { userProfile }), []);
  });

  it("isn't skipped by the quick check", () => {
    const line = JSON.stringify({ custom_id: 'a', params: { ...sound, user_profile_id: 'profile_2' } });
    const { problems } = new QuickLineCheck({ ...contractRules('2026-01-01'), userProfile }).check(line, 0);
    assert.deepEqual(
      problems.map(problem => problem.rule),
      [rule],
    );
  });
});
