import assert from 'node:assert/strict';
import { checkParams } from '../../../../src/emulator/messages/checkParams';
import { ModelCatalog } from '../../../../src/emulator/models/modelCatalog';

const models = new ModelCatalog('vendor-');
const good = { model: 'vendor-opus-4-6', max_tokens: 2000, messages: [{ role: 'user', content: 'Hello' }] };

function problem(change: object, isContract = false): string | undefined {
  const checked = checkParams({ ...good, ...change }, models, isContract);
  return 'problem' in checked ? checked.problem : undefined;
}

describe('emulator/messages/checkParams', () => {
  it('accepts what the contract allows', () => {
    assert.equal(problem({}), undefined);
    assert.equal(problem({ model: 'any-other-model', max_tokens: 10_000_000, temperature: 0.2 }), undefined);
    assert.equal(
      problem({ messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }], metadata: { user_id: null } }),
      undefined,
    );
  });

  for (const [change, text] of [
    [{ model: undefined }, /^model: Field required/],
    [{ max_tokens: -1 }, /^max_tokens: /],
    [{ max_tokens: '5' }, /^max_tokens: /],
    [{ max_tokens: 1.5 }, /^max_tokens: /],
    [{ messages: [] }, /^messages: at least one/],
    [{ messages: [{ role: 'robot', content: 'x' }] }, /^messages\.0\.role: /],
    [{ messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] }, /^messages\.0\.content\.0\.text: /],
    [{ messages: [{ role: 'user', content: 'x', name: 'y' }] }, /^messages\.0\.name: Extra inputs/],
    [{ surprise: true }, /^surprise: Extra inputs are not permitted/],
    [{ temperature: 1.5 }, /^temperature: /],
    [{ max_tokens: 200_000 }, /^max_tokens: 200000 > 128000/],
    [{ model: 'vendor-opus-5', temperature: 0.5 }, /^temperature: /],
    [{ model: 'vendor-opus-5', top_k: 5 }, /^top_k: /],
    [{ model: 'vendor-opus-5', top_p: 0.5 }, /^top_p: /],
    [{ thinking: { type: 'enabled', budget_tokens: 1000 } }, /^thinking\.budget_tokens: /],
    [{ thinking: { type: 'enabled', budget_tokens: 2000 } }, /^max_tokens: must be greater/],
    [{ tool_choice: { type: 'tool', name: 'gone' } }, /^tool_choice\.name: Tool 'gone'/],
    [{ fallback_credit_token: 'x' }, /^fallback_credit_token: malformed token/],
    [{ fallback_credit_token: { token: 't', mode: 'best_effort' } }, /^fallback_credit_token: malformed token/],
    [{ fallbacks: [{ model: 'vendor-sonnet-4-6', max_tokens: 64_001 }] }, /^max_tokens: 64001 > 64000/],
    [{ fallback_credit_token: 'x', fallbacks: 'default' }, /^fallback_credit_token: cannot be combined/],
  ] as const) {
    it(`names the field of ${JSON.stringify(change)}`, () => assert.match(problem(change) ?? 'no problem', text));
  }
});
