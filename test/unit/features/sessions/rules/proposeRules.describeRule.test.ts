import assert from 'node:assert/strict';
import { describeRule, describeTrial } from '../../../../../src/features/sessions/rules/proposeRules';
import type { ApprovalRule } from '../../../../../src/features/sessions/rules/ruleFiles';
import { fillPlaceholders } from '../../requests/fillPlaceholders';
import { askOf, ruleOf } from './ruleFixtures';

const answered = (command: unknown, decided: 'allow' | 'deny') => ({
  ...askOf({ command }),
  agentName: '',
  decided,
});

describe('features/sessions/rules/proposeRules', () => {
  const asks = [
    answered('npm test', 'allow'),
    answered('npm test', 'deny'),
    answered('npm publish', 'allow'),
    answered('npm test\u202e', 'allow'),
  ];

  it('describes what a rule that is off would have decided', () => {
    const trial = (rule: ApprovalRule, of = asks) => describeTrial(rule, of, fillPlaceholders);
    assert.equal(trial(ruleOf({ isOn: false })), 'Matches 2 of your last 4 decisions. You denied 1.');
    assert.equal(trial(ruleOf({ result: 'deny' })), 'Matches 2 of your last 4 decisions. You allowed 1.');
    assert.equal(trial(ruleOf(), asks.slice(0, 1)), 'Matches 1 of your last 1 decisions, all allowed');
    assert.equal(trial(ruleOf(), asks.slice(2)), 'Matches none of your last 2 decisions');
    assert.equal(trial(ruleOf(), []), '');
  });

  it('describes completely what a rule allows', () => {
    const described = (field: Partial<ApprovalRule>) => describeRule(ruleOf(field), 'Careful Operator', fillPlaceholders);
    const long = `echo ${'x'.repeat(3000)}\u202e`;
    assert.ok(described({ fields: [{ field: 'command', match: 'equals', value: long }] }).includes(`${'x'.repeat(3000)}\\u{202e}`));
    assert.match(
      described({ fields: [{ field: 'command', match: 'command', words: 'wc' }] }),
      /starts with wc and uses only the options -Lclmw --bytes --chars --lines --words, with any files and words, for any agent, in Lab$/,
    );
    assert.equal(
      described({ result: 'deny', session: 'sesn_1', fields: [{ field: 'command', match: 'equals', value: 'rm x' }] }),
      'Always deny bash `rm x` exactly, for any agent, in Lab · sesn_1',
    );
    // A rule that denies a folder has no exceptions to describe.
    assert.equal(
      described({ result: 'deny', fields: [{ field: 'path', match: 'folder', folder: '/shop' }] }),
      'Always deny bash path is a path in /shop, for any agent, in Lab',
    );
  });
});
