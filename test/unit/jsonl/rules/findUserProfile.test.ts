import assert from 'node:assert/strict';
import { QuickLineCheck } from '../../../../src/jsonl/checking/quickLineCheck';
import { contractRules } from '../../../../src/jsonl/rules/ruleOptions';
import { foundIn, sound } from './foundIn';

const rule = 'user-profile-conflict';
const userProfile = 'profile_1';

describe('jsonl/rules/findUserProfile', () => {
  it('finds a profile that contradicts the one of the batch', () => {
    assert.deepEqual(foundIn(rule, { user_profile_id: 'profile_2' }, { userProfile }), ['error user_profile_id "profile_2"']);
    assert.deepEqual(foundIn(rule, { user_profile_id: '' }, { userProfile }).length, 1);
    assert.deepEqual(foundIn(rule, { user_profile_id: userProfile }, { userProfile }), []);
    assert.deepEqual(foundIn(rule, { user_profile_id: null }, { userProfile }), []);
    assert.deepEqual(foundIn(rule, { user_profile_id: 'profile_2' }), []);
    assert.deepEqual(foundIn(rule, {}, { userProfile }), []);
  });

  it('is not passed over by the quick check', () => {
    const line = JSON.stringify({ custom_id: 'a', params: { ...sound, user_profile_id: 'profile_2' } });
    const { problems } = new QuickLineCheck({ ...contractRules('2026-01-01'), userProfile }).check(line, 0);
    assert.deepEqual(
      problems.map(problem => problem.rule),
      [rule],
    );
  });
});
