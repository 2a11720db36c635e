import assert from 'node:assert/strict';
import type { Session } from '../../../../../src/client/schemas/sessions';
import { describeIgnored } from '../../../../../src/features/sessions/starting/describeIgnored';
import { fillPlaces as t } from '../../requests/fillPlaces';

const asked = {
  resources: [
    { type: 'git_repository', url: 'https://h/r', authorization_token: 'CANARY' },
    { type: 'memory_store', memory_store_id: 'm', access: 'read_only' },
  ],
  vaultIds: ['v1', 'v2'],
  budget: { type: 'limit', max_list_cost: { amount: '250', currency: 'USD' } },
  overrides: { model: 'm-2', system: null },
} as const;
const session = (more: Partial<Session>): Session => ({ id: 's', type: 'session', ...more });
const whole = session({
  resources: [
    { type: 'git_repository', url: 'https://h/r' },
    { type: 'memory_store', memory_store_id: 'm' },
  ],
  vault_ids: ['v1', 'v2'],
  budget: { type: 'limit', max_list_cost: { amount: '250', currency: 'USD' } },
  agent: { id: 'a', model: { id: 'm-2' }, system: '' },
} as object);

describe('features/sessions/starting/describeIgnored', () => {
  it('has nothing to say of a session that is what was asked for, or for which nothing was asked', () => {
    assert.deepEqual(describeIgnored(whole, asked, t), []);
    assert.deepEqual(describeIgnored(session({}), {}, t), []);
    assert.deepEqual(describeIgnored(session({ budget: null, vault_ids: [], resources: [] }), {}, t), []);
  });

  it('complains of what is told to be otherwise, and not of what is not told, but for a budget', () => {
    assert.deepEqual(describeIgnored(session({}), asked, t), [
      'The service shows no such budget for this session: nothing may stop it from spending more.',
    ]);
    const other = session({ ...whole, budget: { type: 'limit', max_list_cost: { amount: '25', currency: 'USD' } } });
    assert.equal(describeIgnored(other, asked, t).length, 1);
  });

  it('names each thing that was ignored', () => {
    const ignored = session({
      resources: [{ type: 'memory_store', memory_store_id: 'm' }],
      vault_ids: [],
      budget: whole.budget,
      agent: { id: 'a', model: { id: 'm-1' }, system: 'Be kind.' },
    } as object);
    const words = describeIgnored(ignored, asked, t);
    assert.deepEqual(words, [
      'The service ignored the model m-2: the session runs m-1.',
      'The service ignored the system prompt: the session has the one of the agent.',
      'Repositories and memory stores that the session shows: 1 of 2.',
      'Vaults that the session shows: 0 of 2.',
    ]);
  });
});
