import assert from 'node:assert/strict';
import { decideByRules } from '../../../../../src/features/sessions/rules/decideByRules';
import { type AnsweredAsk, suggestRule } from '../../../../../src/features/sessions/rules/proposeRules';
import { fillPlaceholders } from '../../requests/fillPlaceholders';
import { askOf } from './ruleFixtures';

const answers = (allowed: number, denied: number, change: Partial<AnsweredAsk> = {}): readonly AnsweredAsk[] =>
  Array.from({ length: allowed + denied }, (_, index) => ({
    ...askOf({ file_path: `/w/${index}` }),
    ...{ agentName: 'Reader', tool: 'read', decided: index < allowed ? 'allow' : 'deny' },
    ...change,
  }));

describe('features/sessions/rules/suggestRule', () => {
  it('suggests a reading tool that was nearly always allowed', () => {
    const suggested = suggestRule(answers(118, 2), [], fillPlaceholders);
    assert.deepEqual([suggested?.tool, suggested?.allowed, suggested?.total], ['read', 118, 120]);
    assert.ok(suggested !== undefined);
    assert.equal(suggested.scope, 'Always allow read file_path has any value, for Reader, in Lab');
    const [ask] = answers(1, 0);
    assert.ok(ask !== undefined);
    assert.equal(decideByRules([suggested.rule], ask)?.length, 1);
    assert.equal(decideByRules([suggested.rule], { ...ask, agent: 'other' })?.length, 0);
    assert.equal(suggestRule(answers(118, 2), [suggested.rule], fillPlaceholders), undefined);
  });

  it('suggests nothing after few answers or denials, and no tool that may run something', () => {
    assert.equal(suggestRule(answers(19, 0), [], fillPlaceholders), undefined);
    assert.equal(suggestRule(answers(100, 10), [], fillPlaceholders), undefined);
    assert.equal(suggestRule(answers(120, 0, { tool: 'bash' }), [], fillPlaceholders), undefined);
    assert.equal(suggestRule(answers(120, 0, { server: 'files' }), [], fillPlaceholders), undefined);
  });
});
