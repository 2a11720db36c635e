import assert from 'node:assert/strict';
import { toModelFacts, toSeverities } from '../../../../src/features/requests/ruleSettings';

describe('features/requests/ruleSettings', () => {
  it('lets a folder turn no rule off and lower none, whether the user set it or not', () => {
    const lowered = { 'unknown-field': 'off', 'missing-field': 'hint', 'deprecated-field': 'off' };
    assert.deepEqual(toSeverities({ user: undefined, folder: [lowered] }), { severities: {}, raisedByFolder: [] });
    const user = { 'unknown-field': 'warning' };
    assert.deepEqual(toSeverities({ user, folder: [lowered] }), { severities: user, raisedByFolder: [] });
  });

  it('lets a folder raise rules, also those that the user turned off, and says which', () => {
    const folder = [
      { 'deprecated-field': 'warning', 'unknown-field': 'error' },
      { 'deprecated-field': 'information', 'blank-line': 'error' },
    ];
    assert.deepEqual(toSeverities({ user: { 'unknown-field': 'off', 'blank-line': 'error' }, folder }), {
      severities: { 'unknown-field': 'error', 'blank-line': 'error', 'deprecated-field': 'warning' },
      raisedByFolder: ['deprecated-field', 'unknown-field'],
    });
  });

  it("takes every severity of the user's, and passes over what is none", () => {
    const user = { 'unknown-field': 'off', 'missing-field': 'hint', 'blank-line': 7 };
    const folder = [{ 'blank-line': 'worst', constructor: 'error', 'no-such-rule': 'error' }];
    assert.deepEqual(toSeverities({ user, folder }), {
      severities: { 'unknown-field': 'off', 'missing-field': 'hint' },
      raisedByFolder: [],
    });
  });

  it('keeps what the list says of a model', () => {
    assert.deepEqual(toModelFacts({ id: 'a', max_tokens: 100, capabilities: { speed: { supported: true, fast: { supported: false } } } }), [
      { id: 'a', maxTokens: 100, isNeverFast: true },
    ]);
    assert.deepEqual(toModelFacts({ id: 'a', capabilities: { fast_mode: { supported: false } } }), [{ id: 'a', isNeverFast: true }]);
    assert.deepEqual(toModelFacts({ id: 'a', max_tokens: null, capabilities: { fast_mode: 'x', speed: { fast: null } } }), []);
  });
});
