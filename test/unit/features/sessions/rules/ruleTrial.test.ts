import assert from 'node:assert/strict';
import type { ApprovalRule } from '../../../../../src/features/sessions/rules/approvalRule';
import { describeRule, describeTrial, presentTrial, tryRule } from '../../../../../src/features/sessions/rules/ruleTrial';
import { fillPlaces } from '../../requests/fillPlaces';
import { askOf, ruleOf } from './ruleFixtures';

const answered = (command: unknown, decided: 'allow' | 'deny') => ({
  ...askOf({ command }),
  at: '2026-11-23T10:00:00Z',
  decided,
});

describe('features/sessions/rules/ruleTrial', () => {
  const asks = [
    answered('npm test', 'allow'),
    answered('npm test', 'deny'),
    answered('npm publish', 'allow'),
    answered('npm test\u202e', 'allow'),
  ];

  it('says what a rule that is off would have decided, beside the answers', () => {
    const trial = tryRule(ruleOf({ isOn: false }), asks);
    assert.deepEqual([trial.same, trial.other], [1, 1]);
    assert.equal(
      describeTrial(trial, fillPlaces),
      'Of 4 asks answered in open sessions it would have allowed 1 that were allowed and 1 that were denied, and left 2 to you.',
    );
    const denying = tryRule(ruleOf({ result: 'deny' }), asks);
    assert.deepEqual([denying.same, denying.other], [1, 1]);
  });

  it('shows what differs first, and nothing in it as markup or unseen', () => {
    const hostile = answered('npm test', 'deny');
    const text = presentTrial(tryRule(ruleOf({ name: 'Tests' }), [answered('# x\n```\n<b>\u202e', 'allow'), hostile]), fillPlaces);
    assert.ok(text.indexOf('Differs from the answer (1)') < text.indexOf('Same as the answer (0)'));
    assert.match(text, /It holds hidden characters/);
    assert.ok(!text.includes('\u202e'));
    for (const line of text.split('\n').filter(each => /[<`]/.test(each))) {
      assert.match(line, /^ {4}/);
    }
  });

  it('says in full what a rule allows', () => {
    const described = (field: Partial<ApprovalRule>) => describeRule(ruleOf(field), fillPlaces).join('\n');
    const long = `echo ${'x'.repeat(3000)}\u202e`;
    assert.ok(described({ fields: [{ field: 'command', match: 'equals', value: long }] }).includes(`${'x'.repeat(3000)}\\u{202e}`));
    assert.match(
      described({ fields: [{ field: 'command', match: 'command', words: 'wc' }] }),
      /begins with wc, with any files and words, and no options but -Lclmw --bytes --chars --lines --words$/,
    );
    assert.match(
      described({ fields: [{ field: 'command', match: 'anyArguments', words: 'npm test' }] }),
      /begins with npm test, with any arguments, including ones that run other programs$/,
    );
  });

  it('says that there is nothing to try it on', () => {
    assert.match(describeTrial(tryRule(ruleOf(), []), fillPlaces), /nothing to try/);
  });
});
