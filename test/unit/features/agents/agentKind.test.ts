import assert from 'node:assert/strict';
import type { Agent } from '../../../../src/client/schemas/agents';
import type { ServiceClient } from '../../../../src/client/serviceClient';
import { ServiceError } from '../../../../src/client/transport/errors';
import { agentDefinition, agentKind } from '../../../../src/features/agents/agentKind';
import { parseDefinition, toDefinitionText } from '../../../../src/features/resources/definitions';
import { fillPlaces } from '../requests/fillPlaces';

const whole: Agent = {
  id: 'agent_1',
  type: 'agent',
  version: 3,
  created_at: '2026-11-21T10:00:00Z',
  updated_at: '2026-11-21T10:00:00Z',
  archived_at: null,
  execution_identity: { type: 'service_account' },
  metadata: { team: 'ops' },
  system: null,
  model: { id: 'vendor-opus-5', speed: 'standard' },
  name: 'Researcher',
};
const agent = (id: string, version: number): Agent => ({ id, type: 'agent', version, name: id });
const page = (items: Agent[], nextCursor?: string) => ({ items, nextCursor, requestId: undefined });

describe('features/agents/agentKind', () => {
  it('hides archived agents unless they are wanted, also where the service ignores the filter', async () => {
    const asked: unknown[] = [];
    const archived = { ...agent('b', 1), archived_at: '2026-01-01T00:00:00Z' };
    const client = {
      agents: {
        list: async (options: object) => {
          asked.push(options);
          return page([agent('a', 1), archived], 'page=2');
        },
      },
    } as unknown as ServiceClient;
    const ids = async (includeArchived: boolean) => {
      const listed = await agentKind.calls(client).list({ limit: 2, ...(includeArchived ? { includeArchived } : {}) });
      return listed.items.map(({ id }) => id);
    };
    assert.deepEqual([await ids(false), await ids(true)], [['a'], ['a', 'b']]);
    assert.deepEqual(asked, [{ limit: 2 }, { limit: 2, includeArchived: true }]);
  });

  it('says to whom an agent can delegate, in either form', () => {
    const context = { translate: fillPlaces, locale: 'en', now: 0 };
    const told = (multiagent: unknown) => agentKind.facts({ ...whole, multiagent }, context).find(([name]) => name === 'Delegation')?.[1];
    assert.equal(told(null), '');
    assert.equal(told({ type: 'coordinator', agents: ['a', 'b'] }), '2 agents');
    assert.equal(told({ type: 'multiagent_20261001' }), 'sub-agents, workflow runs');
    const own = { type: 'multiagent_20261001', advisor: { type: 'enabled' }, subagents: { type: 'disabled' }, workflows: null };
    assert.equal(told(own), 'workflow runs, advisor');
    assert.equal(told({ type: 'multiagent_20300101' }), 'multiagent_20300101');
  });

  it('has a model chosen or typed where the service does not list that of the template', async () => {
    const [need] = agentDefinition.needs ?? [];
    const [template] = agentDefinition.templates(fillPlaces);
    assert.ok(need !== undefined && template !== undefined);
    const choices = (list: () => Promise<unknown>) =>
      need.choices({ models: { list } } as unknown as ServiceClient, { translate: fillPlaces }, template.definition);
    const listed = async (...ids: string[]) =>
      (await choices(async () => ({ items: ids.map(id => ({ id })) })))?.map(({ fields }) => fields);
    const refused = (status: number, kind: 'not_found' | 'overloaded') => async () => {
      throw new ServiceError('no', { kind, status, outcome: 'refused', method: 'GET', host: 'h', path: '/v1/models' });
    };
    assert.equal(await listed('vendor-opus-5', 'vendor-sonnet-5'), undefined);
    assert.deepEqual(await listed('local-1'), [{ model: { id: 'local-1' } }]);
    assert.deepEqual(await listed(), []);
    assert.deepEqual(await choices(refused(404, 'not_found')), []);
    assert.equal(await choices(refused(529, 'overloaded')), undefined);
    assert.deepEqual(need.typed?.('local-2'), { model: { id: 'local-2' } });
  });

  it('shows what can be changed, in one order, with fields it does not know', () => {
    assert.deepEqual(Object.keys(agentDefinition.read(whole)), ['name', 'model', 'system', 'metadata', 'execution_identity']);
    assert.equal(agentDefinition.read(whole).system, null);
  });

  it('is text that parses back to the same definition', () => {
    const text = toDefinitionText(agentDefinition.read(whole));
    assert.ok(text.endsWith('}\n'));
    assert.deepEqual(parseDefinition(text, agentDefinition), { definition: agentDefinition.read(whole) });
  });

  it('leaves what the service makes out of a document from elsewhere', () => {
    const parsed = parseDefinition(
      '\uFEFF{"$schema": "x", "id": "agent_9", "version": 4, "name": "A", "model": "m", "__proto__": {"a": 1}}',
      agentDefinition,
    );
    assert.ok('definition' in parsed);
    assert.deepEqual(Object.keys(parsed.definition), ['name', 'model', '__proto__']);
  });

  it('says what no service would take', () => {
    assert.deepEqual(parseDefinition('{"name": ', agentDefinition), { problem: 'notJson' });
    assert.deepEqual(parseDefinition('[1]', agentDefinition), { problem: 'notAnObject' });
    assert.deepEqual(parseDefinition('null', agentDefinition), { problem: 'notAnObject' });
    assert.deepEqual(parseDefinition('{"model": "m"}', agentDefinition), { problem: 'missing', field: 'name' });
    assert.deepEqual(parseDefinition('{"name": "A"}', agentDefinition), { problem: 'missing', field: 'model' });
  });
});
