import assert from 'node:assert/strict';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { call, SessionOnEmulator } from '../../helpers/emulatorClient';

const path = '/v1/agents?beta=true';

describe('emulator/agents', () => {
  let emulator: Emulator;

  beforeEach(async () => {
    emulator = await startEmulator({ scenario: { sessionPause: 0 } });
  });
  afterEach(() => emulator.stop());

  const create = (body: object = {}) => call(emulator, 'POST', path, { name: 'Tester', model: 'vendor-opus-5', ...body });
  const update = (id: string, body: object) => call(emulator, 'POST', `/v1/agents/${id}?beta=true`, body);
  const get = (id: string, query = '') => call(emulator, 'GET', `/v1/agents/${id}?beta=true${query}`);

  it('returns every field, with defaults filled in', async () => {
    const { json, status } = await create({
      tools: [
        { type: 'agent_toolset_20260401', configs: [{ name: 'bash', permission_policy: { type: 'always_ask' } }] },
        { type: 'mcp_toolset', mcp_server_name: 'issues' },
        { type: 'custom', name: 'get_price', description: 'A price', input_schema: { type: 'object', properties: {} } },
      ],
      mcp_servers: [{ type: 'url', name: 'issues', url: 'https://mcp.example.com' }],
      skills: [{ type: 'custom', skill_id: 'skill_1' }],
      metadata: { team: 'a' },
    });
    assert.equal(status, 200);
    assert.match(json.id, /^agent_/);
    assert.deepEqual(
      { ...json, id: '', created_at: '', updated_at: '' },
      {
        id: '',
        type: 'agent',
        version: 1,
        name: 'Tester',
        description: null,
        model: { id: 'vendor-opus-5', speed: 'standard', effort: { type: 'high' } },
        system: null,
        tools: [
          {
            type: 'agent_toolset_20260401',
            configs: [{ name: 'bash', enabled: true, permission_policy: { type: 'always_ask' } }],
            default_config: { enabled: true, permission_policy: { type: 'always_allow' } },
          },
          {
            type: 'mcp_toolset',
            mcp_server_name: 'issues',
            configs: [],
            default_config: { enabled: true, permission_policy: { type: 'always_ask' } },
          },
          { type: 'custom', name: 'get_price', description: 'A price', input_schema: { type: 'object', properties: {} } },
        ],
        mcp_servers: [{ type: 'url', name: 'issues', url: 'https://mcp.example.com' }],
        skills: [{ type: 'custom', skill_id: 'skill_1', version: 'latest' }],
        multiagent: null,
        metadata: { team: 'a' },
        created_at: '',
        updated_at: '',
        archived_at: null,
      },
    );
    assert.deepEqual((await get(json.id)).json, json);
  });

  for (const [body, message] of [
    [{ name: '' }, /^name: /],
    [{ name: 'x'.repeat(257) }, /^name: /],
    [{ model: undefined }, /^model: /],
    [{ model: { speed: 'fast' } }, /^model.id: Field required/],
    [{ system: 'x'.repeat(100_001) }, /^system: /],
    [{ tools: [{ type: 'nonsense' }] }, /^tools.0.type: /],
    [{ tools: [{ type: 'custom', name: 'has space', description: 'x', input_schema: { type: 'object' } }] }, /^tools.0.name: /],
    [{ tools: [{ type: 'agent_toolset_20260401', configs: [{ name: 'fly' }] }] }, /^tools.0.configs.0.name: /],
    [{ mcp_servers: [{ type: 'url', name: 'lonely', url: 'https://x.example' }] }, /^mcp_servers.0.name: "lonely" is not referenced/],
    [{ tools: [{ type: 'mcp_toolset', mcp_server_name: 'nowhere' }] }, /^tools.0.mcp_server_name: /],
    [{ metadata: Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`k${n}`, 'v'])) }, /^metadata: At most 16/],
    [{ metadata: { k: 5 } }, /^metadata.k: /],
    [{ skills: [{ type: 'anthropic', skill_id: 'x' }] }, /^skills.0.type: /],
    [{ multiagent: { type: 'coordinator', agents: ['agent_nowhere'] } }, /^multiagent.agents.0: agent not found/],
    [{ multiagent: { type: 'multiagent_20261001', advisor: { type: 'enabled' } } }, /^multiagent.advisor.model: /],
  ] as const) {
    it(`refuses ${JSON.stringify(body).slice(0, 60)} and names the field`, async () => {
      const { status, json } = await create(body);
      assert.equal(status, 400);
      assert.equal(json.error.type, 'invalid_request_error');
      assert.match(json.error.message, message);
    });
  }

  it('fills in defaults of the newer form of delegation, and merges an update level by level', async () => {
    const enabled = { type: 'enabled', inline_agents: { type: 'enabled' }, predefined_agents: [] };
    const { id, version, multiagent } = (await create({ multiagent: { type: 'multiagent_20261001', workflows: null } })).json;
    const usual = { type: 'multiagent_20261001', advisor: { type: 'disabled' }, subagents: enabled, workflows: enabled };
    assert.deepEqual(multiagent, usual);
    const workflows = { type: 'enabled', predefined_agents: [{ type: 'self' }] };
    const { json } = await update(id, { version, multiagent: { type: 'multiagent_20261001', subagents: { type: 'disabled' }, workflows } });
    const predefined_agents = [{ type: 'agent', id, version: version + 1 }];
    assert.deepEqual(json.multiagent, { ...usual, subagents: { type: 'disabled' }, workflows: { ...enabled, predefined_agents } });
  });

  it('publishes a new version only from the latest one', async () => {
    const { id } = (await create({ description: 'first', metadata: { a: '1', b: '2' } })).json;
    assert.equal((await update(id, { name: 'Other' })).json.error.message, 'version is required');
    assert.equal((await update(id, { name: 'Other' })).status, 400);
    const second = (await update(id, { version: 1, name: 'Other', metadata: { a: null, c: '3' } })).json;
    assert.deepEqual([second.version, second.name, second.description, second.metadata], [2, 'Other', 'first', { b: '2', c: '3' }]);
    const stale = await update(id, { version: 1, name: 'Third' });
    assert.deepEqual([stale.status, stale.json.error.type], [409, 'conflict_error']);
    assert.equal((await get(id)).json.name, 'Other');
    assert.equal((await get(id, '&version=1')).json.name, 'Tester');
    assert.equal((await get(id, '&version=3')).status, 404);
    assert.equal((await get(id, '&version=zero')).status, 400);
  });

  it('keeps absent fields, clears null ones, replaces arrays, and keeps the version if nothing changes', async () => {
    const tools = [{ type: 'agent_toolset_20260401' }];
    const first = (await create({ description: 'x', system: 'y', tools })).json;
    const same = (await update(first.id, { version: 1, name: 'Tester', tools, metadata: { gone: null } })).json;
    assert.deepEqual(same, first);
    const cleared = (await update(first.id, { version: 1, description: null, system: '', tools: null })).json;
    assert.deepEqual([cleared.version, cleared.description, cleared.system, cleared.tools], [2, null, null, []]);
    assert.equal(cleared.created_at, first.created_at);
  });

  it('lists versions newest first, page by page', async () => {
    const { id } = (await create()).json;
    for (let version = 1; version < 5; version++) {
      await update(id, { version, system: `v${version + 1}` });
    }
    const seen: number[] = [];
    let page: string | null = '';
    while (page !== null) {
      const query: string = page === '' ? '' : `&page=${encodeURIComponent(page)}`;
      const { json } = await call(emulator, 'GET', `/v1/agents/${id}/versions?beta=true&limit=2${query}`);
      seen.push(...json.data.map((agent: { version: number }) => agent.version));
      page = json.next_page;
    }
    assert.deepEqual(seen, [5, 4, 3, 2, 1]);
  });

  it('archives permanently: no updates, no sessions, listed only on request', async () => {
    const { id } = (await create()).json;
    const archive = () => call(emulator, 'POST', `/v1/agents/${id}/archive?beta=true`);
    const first = (await archive()).json;
    await emulator.advanceClock(5000);
    assert.ok(first.archived_at);
    assert.deepEqual((await archive()).json, first);
    assert.equal((await update(id, { version: 1, name: 'X' })).status, 400);
    await assert.rejects(SessionOnEmulator.start(emulator, id), /archived/);
    const ids = async (query: string) => (await call(emulator, 'GET', path + query)).json.data.map((agent: { id: string }) => agent.id);
    assert.ok(!(await ids('')).includes(id));
    assert.equal((await ids('&include_archived=true'))[0], id);
    assert.equal((await call(emulator, 'GET', `${path}&include_archived=perhaps`)).status, 400);
  });

  it('lists newest first in pages of 20, at most 100, and filters by time', async () => {
    for (let n = 0; n < 25; n++) {
      await create({ name: `A${n}` });
    }
    const first = (await call(emulator, 'GET', path)).json;
    assert.deepEqual([first.data.length, first.data[0].name], [20, 'A24']);
    const second = (await call(emulator, 'GET', `${path}&page=${encodeURIComponent(first.next_page)}`)).json;
    assert.deepEqual([second.data.length, second.data[0].name, second.next_page], [9, 'A4', null]);
    assert.equal((await call(emulator, 'GET', `${path}&limit=101`)).status, 400);
    assert.equal((await call(emulator, 'GET', `${path}&page=garbage`)).status, 400);
    const now = (await call(emulator, 'GET', '/_emulator/clock')).json.now;
    await emulator.advanceClock(60_000);
    await create({ name: 'Late' });
    const late = (await call(emulator, 'GET', `${path}&created_at[gte]=${now}`)).json.data;
    assert.deepEqual(
      late.filter((agent: { name: string }) => agent.name === 'Late' || agent.name === 'A0').map((agent: { name: string }) => agent.name),
      ['Late'],
    );
    assert.equal((await call(emulator, 'GET', `${path}&created_at[gte]=yesterday`)).status, 400);
  });

  it("rejects an unknown filter with the contract's message, or ignores it as other services do", async () => {
    assert.equal((await call(emulator, 'GET', `${path}&colour=red`)).status, 400);
    const other = await startEmulator({ dialect: 'anthropic-2023' });
    try {
      const headers = { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'managed-agents-2026-04-01' };
      assert.equal((await call(other, 'GET', `${path}&colour=red`, undefined, headers)).status, 200);
    } finally {
      await other.stop();
    }
  });
});
