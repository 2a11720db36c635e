import assert from 'node:assert/strict';
import { toModelFacts, toSeverities } from '../../../../src/features/requests/ruleSettings';

describe('features/requests/ruleSettings', () => {
  it("doesn't let a folder turn off or lower a rule, whether or not the user has set it", () => {
    const lowered = { 'unknown-field': 'off', 'missing-field': 'hint', 'deprecated-field': 'off' };
    assert.deepEqual(toSeverities({ user: undefined, folder: [lowered] }), { severities: {}, raisedByFolder: [] });
    const user = { 'unknown-field': 'warning' };
    assert.deepEqual(toSeverities({ user, folder: [lowered] }), { severities: user, raisedByFolder: [] });
  });

  it('lets a folder raise rules, even those that the user turned off, and reports which', () => {
    const folder = [
      { 'deprecated-field': 'warning', 'unknown-field': 'error' },
      { 'deprecated-field': 'information', 'blank-line': 'error' },
    ];
    assert.deepEqual(toSeverities({ user: { 'unknown-field': 'off', 'blank-line': 'error' }, folder }), {
      severities: { 'unknown-field': 'error', 'blank-line': 'error', 'deprecated-field': 'warning' },
      raisedByFolder: ['deprecated-field', 'unknown-field'],
    });
  });

  it('accepts every severity of the user, and ignores invalid ones', () => {
    const user = { 'unknown-field': 'off', 'missing-field': 'hint', 'blank-line': 7 };
    const folder = [{ 'blank-line': 'worst', constructor: 'error', 'no-such-rule': 'error' }];
    assert.deepEqual(toSeverities({ user, folder }), {
      severities: { 'unknown-field': 'off', 'missing-field': 'hint' },
      raisedByFolder: [],
    });
  });

  it('keeps the severity of the rule for models', () => {
    assert.deepEqual(toModelFacts({ id: 'a', max_tokens: 100, capabilities: { speed: { supported: true, fast: { supported: false } } } }), [
      { id: 'a', maxTokens: 100, isNeverFast: true },
    ]);
    assert.deepEqual(toModelFacts({ id: 'a', capabilities: { fast_mode: { supported: false } } }), [{ id: 'a', isNeverFast: true }]);
    assert.deepEqual(toModelFacts({ id: 'a', max_tokens: null, capabilities: { fast_mode: 'x', speed: { fast: null } } }), []);
  });
});
