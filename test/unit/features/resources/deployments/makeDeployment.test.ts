import assert from 'node:assert/strict';
import { isFirstWord, toDeployment } from '../../../../../src/features/resources/deployments/makeDeployment';
import { context } from '../presenting';

const { translate } = context;

describe('features/resources/deployments/makeDeployment', () => {
  it("copies the session and the user's first words, without the service's fields", () => {
    const session = {
      id: 'sesn_1',
      type: 'session',
      title: 'Nightly check',
      agent: { id: 'agent_1', type: 'agent', version: 3, name: 'Checker' },
      environment_id: 'env_1',
      vault_ids: ['vlt_1'],
      budget: { type: 'limit', max_list_cost: { amount: '500', currency: 'USD' } },
      resources: [
        { type: 'file', id: 'sesrsc_1', file_id: 'file_1', mount_path: '/a', created_at: 'x', updated_at: 'y' },
        {
          type: 'git_repository',
          id: 'sesrsc_2',
          url: 'https://example.com/r',
          authorization_token: 'canary',
          checkout: { type: 'branch', name: 'main' },
        },
        { type: 'memory_store', id: 'sesrsc_3', memory_store_id: 'mem_1', access: 'read_only', instructions: null },
      ],
    };
    const first = { type: 'user.message', id: 'sevt_1', processed_at: 'z', content: [{ type: 'text', text: 'Check it' }] };
    const { schedule, ...rest } = toDeployment(session, first, translate);
    assert.deepEqual(rest, {
      name: 'Nightly check',
      description: 'Based on session sesn_1',
      agent: { type: 'agent', id: 'agent_1', version: 3 },
      environment_id: 'env_1',
      initial_events: [{ type: 'user.message', content: [{ type: 'text', text: 'Check it' }] }],
      resources: [
        { type: 'file', file_id: 'file_1', mount_path: '/a' },
        { type: 'git_repository', url: 'https://example.com/r', checkout: { type: 'branch', name: 'main' } },
        { type: 'memory_store', memory_store_id: 'mem_1', access: 'read_only' },
      ],
      vault_ids: ['vlt_1'],
      budget: session.budget,
    });
    assert.equal((schedule as { readonly expression: string }).expression, '0 9 * * 1-5');
  });

  it('creates a document from a session with few fields', () => {
    const {
      name,
      agent,
      environment_id: environment,
      initial_events: events,
    } = toDeployment({ id: 's', type: 'session' }, undefined, translate);
    assert.deepEqual([name, agent, environment], ['Deployment', { type: 'agent', id: '' }, '']);
    assert.deepEqual(events, [{ type: 'user.message', content: [{ type: 'text', text: '' }] }]);
  });

  it('keeps a valid name', () => {
    const { name } = toDeployment({ id: 's', type: 'session', title: '😀'.repeat(300) }, undefined, translate);
    assert.equal(Array.from(String(name)).length, 256);
  });

  it('copies only messages and outcomes of the user', () => {
    assert.deepEqual(
      ['user.message', 'user.define_outcome', 'agent.message', 'user.interrupt'].map(type => isFirstWord({ type })),
      [true, true, false, false],
    );
    const outcome = {
      type: 'user.define_outcome',
      id: 'x',
      description: 'd',
      rubric: { type: 'text', content: 'r' },
      max_iterations: null,
      outcome_id: 'o',
    };
    assert.deepEqual(toDeployment({ id: 's', type: 'session' }, outcome, translate).initial_events, [
      { type: 'user.define_outcome', description: 'd', rubric: { type: 'text', content: 'r' } },
    ]);
  });
});
