import assert from 'node:assert/strict';
import { ignoredFields } from '../../../src/client/ignoredFields';

const budget = { type: 'limit', max_list_cost: { amount: '250', currency: 'USD' } };
const pathsOf = (...args: Parameters<typeof ignoredFields>) => ignoredFields(...args).map(({ path }) => path);

describe('client/ignoredFields', () => {
  const stored: readonly (readonly [name: string, sent: unknown, answered: unknown])[] = [
    ['defaults and ids that the service adds', { config: { type: 'cloud' } }, { id: 'x', config: { type: 'cloud', networking: {} } }],
    ['an id as an object', { agent: 'a1', model: 'm' }, { agent: { id: 'a1', version: 2 }, model: { id: 'm', speed: 'standard' } }],
    ['an alias of a model', { model: 'm-4-5' }, { model: { id: 'm-4-5-20251001' } }],
    ['a level as an object', { model: { id: 'm', effort: 'high' } }, { model: { id: 'm', effort: { type: 'high' } } }],
    ['the latest version', { skills: [{ skill_id: 's', version: 'latest' }] }, { skills: [{ skill_id: 's', version: '3' }] }],
    ['text as a block', { content: [{ text: 'a' }], first: 'hi' }, { content: [{ type: 'text', text: 'a' }], first: [{ text: 'hi' }] }],
    ['what is empty and not shown', { a: '', b: [], c: {}, d: null }, { id: 'x', a: null }],
    ['null for a default', { name: 'n', checkout: null }, { name: 'n', checkout: { type: 'branch' } }],
    ['another order', { tools: [{ name: 'a' }, { name: 'b' }] }, { tools: [{ name: 'b' }, { name: 'a' }, { name: 'own' }] }],
    ['another form of a time', { at: '2026-01-01T00:00:00Z' }, { at: '2026-01-01T00:00:00.000+00:00' }],
    ['another form of an address', { url: 'https://H/r.git' }, { url: 'https://h/r/' }],
    ['money as a number', { budget }, { budget: { type: 'limit', max_list_cost: { amount: 250, currency: 'USD' } } }],
    [
      'the other name of a type',
      { resources: [{ type: 'git_repository', url: 'u' }] },
      { resources: [{ type: 'github_repository', url: 'u' }] },
    ],
    [
      'the agent itself',
      { multiagent: { agents: [{ type: 'self' }] } },
      { multiagent: { agents: [{ type: 'agent', id: 'a1', version: 1 }] } },
    ],
  ];
  for (const [name, sent, answered] of stored) {
    it(`treats ${name} as stored`, () => {
      assert.deepEqual(pathsOf(sent as object, answered), []);
      assert.deepEqual(pathsOf(JSON.stringify(sent), answered), []);
    });
  }

  it('names missing and changed fields, money first', () => {
    const sent = { name: 'n', description: 'd', schedule: { expression: '0 9 * * *', timezone: 'UTC' }, tools: [{ name: 'a' }], budget };
    const answered = { name: 'n', schedule: { expression: '0 9 * * *', timezone: 'Asia/Tokyo' }, tools: [{ name: 'b' }] };
    assert.deepEqual(pathsOf(sent, answered), ['budget', 'description', 'schedule.timezone', 'tools']);
    assert.deepEqual(ignoredFields(sent, { ...sent, schedule: answered.schedule }), [
      { path: 'schedule.timezone', stored: 'Asia/Tokyo', isMoney: false },
    ]);
    const other = { type: 'limit', max_list_cost: { amount: '25', currency: 'USD' } };
    assert.deepEqual(ignoredFields({ budget }, { budget: other }), [{ path: 'budget.max_list_cost.amount', stored: '25', isMoney: true }]);
    assert.deepEqual(
      pathsOf({ config: { networking: { type: 'limited', allowed_hosts: ['h'] } } }, { config: { networking: { type: 'unrestricted' } } }),
      ['config.networking.type', 'config.networking.allowed_hosts'],
    );
  });

  it('reports only a spending limit if the response shows none of the sent fields', () => {
    assert.deepEqual(pathsOf({ name: 'n', description: 'd' }, { id: 'x' }), []);
    assert.deepEqual(pathsOf({ name: 'n', budget }, { id: 'x' }), ['budget']);
  });

  it('expects that null clears a field and a list replaces another in an update', () => {
    const sent = { version: 3, system: null, budget: null, tools: [{ name: 'a' }], metadata: { old: null, new: '1' } };
    const before = { version: 4, system: 's', budget, tools: [{ name: 'a' }, { name: 'b' }], metadata: { old: '1' } };
    const paths = ['budget', 'system', 'tools', 'metadata.old', 'metadata.new'];
    assert.deepEqual(pathsOf(sent, before, { isUpdate: true }), paths);
    const after = { version: 4, system: '', budget: null, tools: [{ name: 'a' }], metadata: { new: '1' } };
    assert.deepEqual(pathsOf(sent, after, { isUpdate: true }), []);
    assert.deepEqual(pathsOf({ agent: { type: 'agent_with_overrides', id: 'a', system: null } }, { agent: { id: 'a', system: 's' } }), [
      'agent.system',
    ]);
  });

  it("ignores an agent that the session doesn't show, and names its other version", () => {
    const of = (agent: object, answered: object) => pathsOf({ title: 't', agent }, { title: 't', ...answered }, { unanswered: ['agent'] });
    const pinned = { type: 'agent', id: 'a', version: 3 };
    assert.deepEqual(of(pinned, {}), []);
    assert.deepEqual(of(pinned, { agent: { id: 'a' } }), []);
    assert.deepEqual(of(pinned, { agent: { id: 'a', version: 3 } }), []);
    assert.deepEqual(of(pinned, { agent: { id: 'a', version: 5 } }), ['agent.version']);
    const other = { type: 'agent_with_overrides', id: 'a', model: 'm-2', system: 's' };
    assert.deepEqual(of(other, { agent: { id: 'a', model: { id: 'm-1' }, system: null } }), ['agent.model']);
  });

  it('expects no secrets back, and no fields that responses leave out', () => {
    const auth = { type: 'mcp_oauth', access_token: 'CANARY', refresh: { refresh_token: 'CANARY' } };
    assert.deepEqual(pathsOf({ name: 'n', auth }, { name: 'n', auth: { type: 'mcp_oauth' } }, { secrets: ['CANARY'] }), []);
    assert.deepEqual(pathsOf({ title: 't', initial_events: [1] }, { title: 't' }, { unanswered: ['initial_events'] }), []);
  });
});
