import assert from 'node:assert/strict';
import { isRule, toRulePage } from '../../../../../src/features/requests/checking/rulePagePresentation';
import { ruleTable } from '../../../../../src/jsonl/rules/ruleTable';
import { fillPlaceholders } from '../fillPlaceholders';

describe('features/requests/checking/rulePagePresentation', () => {
  it('creates a page for every rule, with its severity', () => {
    for (const rule of Object.keys(ruleTable)) {
      assert.match(
        toRulePage(rule, { severities: {} }, fillPlaceholders),
        new RegExp(`^# .+\n\n\`${rule}\` · Severity: \\w+\n\n.+\n\nChange its severity`),
        rule,
      );
    }
  });

  it('shows the severity of the settings if it differs', () => {
    const page = toRulePage('deprecated-field', { severities: { 'deprecated-field': 'off' } }, fillPlaceholders);
    assert.match(page, /· Severity: off \(default: hint\)\n/);
    assert.match(toRulePage('deprecated-field', { severities: { 'wrong-type': 'off' } }, fillPlaceholders), /· Severity: hint\n/);
  });

  it('has no page for an unknown rule', () => {
    assert.match(toRulePage('__proto__', { severities: {} }, fillPlaceholders), /^__proto__ not found/);
    assert.equal(isRule('constructor'), false);
    assert.equal(isRule(undefined), false);
  });
});
