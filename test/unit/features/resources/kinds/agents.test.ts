import assert from 'node:assert/strict';
import type { Agent } from '../../../../../src/client/resources/agents';
import type { ServiceClient } from '../../../../../src/client/serviceClient';
import { ServiceError } from '../../../../../src/client/transport/errors';
import { parseDefinition, toDefinition, toDefinitionText } from '../../../../../src/features/resources/definitions/definitionText';
import { agentDefinition, agentTemplates } from '../../../../../src/features/resources/kinds/agentDefinition';
import { agents, agentVersions } from '../../../../../src/features/resources/kinds/agents';
import { toHover } from '../../../../../src/features/resources/resourcePresentation';
import { fillPlaceholders } from '../../requests/fillPlaceholders';

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
const parse = (text: string) => parseDefinition(text, agentDefinition, fillPlaceholders);
const agent = (id: string, version: number): Agent => ({ id, type: 'agent', version, name: id });
const page = (items: Agent[], nextCursor?: string) => ({ items, nextCursor, requestId: undefined });

describe('features/resources/kinds/agents', () => {
  it('hides archived agents by default, even if the service ignores the filter', async () => {
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
      const listed = await agents.calls(client, undefined).list({ limit: 2, ...(includeArchived ? { includeArchived } : {}) });
      return listed.items.map(({ id }) => id);
    };
    assert.deepEqual([await ids(false), await ids(true)], [['a'], ['a', 'b']]);
    assert.deepEqual(asked, [{ limit: 2 }, { limit: 2, includeArchived: true }]);
  });

  it('shows to whom an agent can delegate, in either form', () => {
    const context = { translate: fillPlaceholders, locale: 'en', now: 0 };
    const told = (multiagent: unknown) => agents.facts({ ...whole, multiagent }, context).find(([name]) => name === 'Delegation')?.[1];
    assert.equal(told(null), '');
    assert.equal(told({ type: 'coordinator', agents: ['a', 'b'] }), '2 agents');
    assert.equal(told({ type: 'multiagent_20261001' }), 'sub-agents, workflow runs');
    const own = { type: 'multiagent_20261001', advisor: { type: 'enabled' }, subagents: { type: 'disabled' }, workflows: null };
    assert.equal(told(own), 'workflow runs, advisor');
    assert.equal(told({ type: 'multiagent_20300101' }), 'multiagent_20300101');
  });

  it("asks for a model if the service doesn't list the template's", async () => {
    const [need] = agentDefinition.needs ?? [];
    const [template] = agentDefinition.templates(fillPlaceholders);
    assert.ok(need !== undefined && template !== undefined);
    const choices = (list: () => Promise<unknown>) =>
      need.choices({ models: { list } } as unknown as ServiceClient, { translate: fillPlaceholders }, template.definition);
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

  it('shows editable fields in one order, with unknown ones', () => {
    assert.deepEqual(Object.keys(toDefinition(whole, agentDefinition)), ['name', 'model', 'system', 'metadata', 'execution_identity']);
    assert.equal(toDefinition(whole, agentDefinition).system, null);
  });

  it('formats text that parses back to the same definition', () => {
    const text = toDefinitionText(toDefinition(whole, agentDefinition));
    assert.ok(text.endsWith('}\n'));
    assert.deepEqual(parse(text), toDefinition(whole, agentDefinition));
  });

  it("removes the service's own fields from a document", () => {
    const parsed = parse('\uFEFF{"$schema": "x", "id": "agent_9", "version": 4, "name": "A", "model": "m", "__proto__": {"a": 1}}');
    assert.deepEqual(Object.keys(parsed), ['name', 'model', '__proto__']);
  });

  it('reports what no service would accept', () => {
    assert.throws(() => parse('{"name": '), /Fix the errors/);
    assert.throws(() => parse('[1]'), /must be a JSON object/);
    assert.throws(() => parse('null'), /must be a JSON object/);
    assert.throws(() => parse('{"model": "m"}'), /Add "name" first/);
    assert.throws(() => parse('{"name": "A"}'), /Add "model" first/);
  });

  it('has complete definitions as templates', () => {
    for (const { definition } of agentTemplates(text => text, 'vendor-sonnet-5')) {
      assert.deepEqual(parse(toDefinitionText(definition)), definition);
    }
  });

  const listed: Agent = { ...agent('agent_1', 3), name: 'Researcher', model: { id: 'vendor-opus-5' }, updated_at: '2026-11-21T11:00:00Z' };
  const context = { translate: fillPlaceholders, locale: 'en', now: Date.parse('2026-11-21T12:00:00Z') };

  it('shows version, model and age, and available actions', () => {
    const row = agents.row(listed, context);
    assert.equal(row.label, 'Researcher');
    assert.equal(row.description, 'v3 · vendor-opus-5 · 1 hr. ago');
    assert.deepEqual(row.abilities.split(' '), ['resource', 'agent', 'editable', 'comparable', 'startable', 'archivable']);
    const archived = agents.row({ ...listed, archived_at: '2026-11-21T11:00:00Z' }, context);
    assert.match(archived.description, /^archived/);
    assert.doesNotMatch(archived.abilities, /startable|archivable/);
  });

  it('shows a hostile name as a safe label, and an ID if there is no name', () => {
    assert.equal(agents.row({ ...listed, name: 'a\u202Eb\nc' }, context).label, 'a\\u{202e}b\\u{a}c');
    assert.equal(agents.row({ id: 'agent_2', type: 'agent', name: '' }, context).label, 'agent_2');
    const hover = toHover(agents, { ...listed, description: '<img src=x> [a](command:x)' }, 'A', context);
    assert.match(hover, /\\<img src=x\\> \\\[a\\\]\\\(command:x\\\)/);
    assert.match(hover, /Version: 3/);
  });

  describe('versions', () => {
    const parent = { connection: 'A', kind: 'agent', id: 'agent_1' };
    const calls = (now: Agent | Error, found = agent('agent_1', 2)) => {
      const retrieve = async (_: string, options?: { readonly version?: number }) => {
        if (options?.version === undefined && now instanceof Error) {
          throw now;
        }
        return { data: options?.version === undefined ? now : found, requestId: undefined };
      };
      const versions = async () => page([agent('agent_1', 2), agent('agent_1', 1)]);
      return agentVersions.calls({ agents: { retrieve, versions } } as unknown as ServiceClient, parent);
    };
    const rows = async (now: Agent | Error) => (await calls(now).list()).items.map(version => agentVersions.row(version, context));

    it("have their numbers as IDs, and the latest is the agent's", async () => {
      const { items } = await calls(agent('agent_1', 2)).list();
      assert.deepEqual(
        items.map(({ id, isLatest }) => [id, isLatest]),
        [
          ['2', true],
          ['1', false],
        ],
      );
      assert.deepEqual(agentVersions.opens?.(items[0] ?? assert.fail(), { ...parent, id: '2', parent }), parent);
      // The list has only older versions, or the agent can't be retrieved.
      for (const now of [agent('agent_1', 3), new Error('gone')]) {
        assert.ok((await calls(now).list()).items.every(({ isLatest }) => !isLatest));
      }
    });

    it('can be restored and started unless they are the latest or the agent is archived', async () => {
      const [latest, old] = await rows(agent('agent_1', 2));
      assert.match(latest?.description ?? '', /^latest/);
      assert.doesNotMatch(latest?.abilities ?? '', /restorable/);
      assert.match(old?.abilities ?? '', /startable restorable/);
      const archived = await rows({ ...agent('agent_1', 2), archived_at: '2026-11-21T11:00:00Z' });
      assert.ok(archived.every(({ abilities }) => !/restorable|startable/.test(abilities)));
    });

    it('are read by their number, and another version in the response is rejected', async () => {
      const { data } = await calls(agent('agent_1', 3)).retrieve('2');
      assert.deepEqual([data.id, data.original, agentVersions.definition?.read?.(data)], ['2', agent('agent_1', 2), agent('agent_1', 2)]);
      await assert.rejects(calls(agent('agent_1', 3), agent('agent_1', 3)).retrieve('2'), /version 3 of this agent instead of version 2/);
    });
  });
});
