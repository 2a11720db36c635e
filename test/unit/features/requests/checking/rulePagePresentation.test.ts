import assert from 'node:assert/strict';
import { isRule, presentSeverity, toRulePage } from '../../../../../src/features/requests/checking/rulePagePresentation';
import { ruleTable } from '../../../../../src/jsonl/rules/ruleTable';
import { fillPlaces } from '../fillPlaces';

describe('features/requests/checking/rulePagePresentation', () => {
  it('makes a page for every rule, with its severity', () => {
    for (const rule of Object.keys(ruleTable)) {
      assert.match(
        toRulePage(rule, { severities: {} }, fillPlaces),
        new RegExp(`^# .+\n\n\`${rule}\` · Severity: \\w+\n\n\\*\\*What it finds`),
        rule,
      );
    }
  });

  it('says when the settings give another severity', () => {
    const page = toRulePage('deprecated-field', { severities: { 'deprecated-field': 'off' } }, fillPlaces);
    assert.match(page, /· Severity: off, by your settings\. By itself: hint\n/);
    assert.equal(presentSeverity('deprecated-field', { severities: { 'wrong-type': 'off' } }), 'hint');
  });

  it("says whether a severity is by the user's settings or the folder's", () => {
    const severities = { 'deprecated-field': 'error' } as const;
    assert.match(toRulePage('deprecated-field', { severities }, fillPlaces), /Severity: error, by your settings\./);
    const raised = { severities, raisedByFolder: ['deprecated-field'] };
    assert.match(toRulePage('deprecated-field', raised, fillPlaces), /Severity: error, by this folder's settings\./);
  });

  it('has no page for names that are no rules', () => {
    assert.match(toRulePage('__proto__', { severities: {} }, fillPlaces), /^There is no rule/);
    assert.equal(isRule('constructor'), false);
    assert.equal(isRule(undefined), false);
  });
});
