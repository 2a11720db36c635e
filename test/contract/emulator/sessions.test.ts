import assert from 'node:assert/strict';
import type { ServerStyleName } from '../../../src/emulator/http/serverStyle';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { call, openStream, SessionOnEmulator } from '../../helpers/emulatorClient';

const sessions = '/v1/sessions?beta=true';

describe('emulator/sessions', () => {
  let emulator: Emulator;

  beforeEach(async () => {
    emulator = await startEmulator({ scenario: { sessionPause: 0 } });
  });
  afterEach(() => emulator.stop());

  const item = (id: string, below = '') => `/v1/sessions/${id}${below}?beta=true`;
  const environment = async (): Promise<string> => (await call(emulator, 'GET', '/v1/environments?beta=true')).json.data[0].id;
  const agentNamed = async (name: string): Promise<{ id: string; version: number }> =>
    (await call(emulator, 'GET', '/v1/agents?beta=true')).json.data.find((agent: { name: string }) => agent.name === name);
  const ids = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id);

  it('has sample agents whose sessions answer at once', async () => {
    const agents: { name: string }[] = (await call(emulator, 'GET', '/v1/agents?beta=true')).json.data;
    assert.deepEqual(
      agents.map(({ name }) => name),
      ['Researcher', 'Careful Operator', 'Coordinator', 'Shopkeeper'],
    );
    for (const { name } of agents) {
      const session = await SessionOnEmulator.start(emulator, name);
      await session.say('hello there');
      const types = await session.types();
      assert.deepEqual(types.slice(0, 3), ['user.message', 'session.thread_status_running', 'session.status_running']);
      assert.deepEqual(types.slice(-2), ['session.usage', 'session.status_idle']);
    }
  });

  it('returns every field of a new session', async () => {
    const agent = await agentNamed('Shopkeeper');
    const vault = (await call(emulator, 'POST', '/v1/vaults?beta=true', { display_name: 'Keys' })).json.id;
    const { json, status } = await call(emulator, 'POST', sessions, {
      agent: agent.id,
      environment_id: await environment(),
      title: 'Prices',
      metadata: { n: '1' },
      vault_ids: [vault],
      budget: { type: 'limit', max_list_cost: { amount: '500', currency: 'USD' } },
    });
    assert.equal(status, 200);
    const { id, created_at, updated_at, agent: snapshot, environment_id, stats, usage, ...rest } = json;
    assert.match(id, /^sesn_/);
    assert.equal(created_at, updated_at);
    assert.equal(environment_id, await environment());
    assert.deepEqual([snapshot.id, snapshot.version, snapshot.tools[0].name], [agent.id, 1, 'get_price']);
    assert.ok(!('archived_at' in snapshot) && stats.active_seconds === 0);
    assert.deepEqual(
      [usage.input_tokens, usage.output_tokens, usage.cache_read_input_tokens, usage.list_cost],
      [0, 0, 0, { amount: '0', currency: 'USD' }],
    );
    assert.deepEqual(rest, {
      type: 'session',
      status: 'idle',
      archived_at: null,
      deployment_id: null,
      title: 'Prices',
      metadata: { n: '1' },
      resources: [],
      vault_ids: [vault],
      outcome_evaluations: [],
      budget: { type: 'limit', max_list_cost: { amount: '500', currency: 'USD' } },
    });
  });

  it('shows the agent without its labels, and in threads without its sub-agents', async () => {
    const body = { name: 'A', model: 'vendor-opus-5', metadata: { team: 'x' } };
    const { id } = (await call(emulator, 'POST', '/v1/agents?beta=true', body)).json;
    const session = (await call(emulator, 'POST', sessions, { agent: id, environment_id: await environment() })).json;
    const threads = (await call(emulator, 'GET', `/v1/sessions/${session.id}/threads?beta=true`)).json;
    const common = ['description', 'id', 'mcp_servers', 'model', 'name', 'skills', 'system', 'tools', 'type', 'version'];
    assert.deepEqual(Object.keys(session.agent).sort(), [...common, 'multiagent'].sort());
    assert.deepEqual(Object.keys(threads.data[0].agent).sort(), common);
  });

  it('accepts the agent by ID, pinned to a version, or with overrides', async () => {
    const { id } = (await call(emulator, 'POST', '/v1/agents?beta=true', { name: 'A', model: 'vendor-opus-5', system: 'one' })).json;
    await call(emulator, 'POST', `/v1/agents/${id}?beta=true`, { version: 1, system: 'two' });
    const start = async (agent: unknown) => (await call(emulator, 'POST', sessions, { agent, environment_id: await environment() })).json;
    assert.deepEqual([(await start(id)).agent.system, (await start({ type: 'agent', id, version: 1 })).agent.system], ['two', 'one']);
    const overridden = await start({ type: 'agent_with_overrides', id, system: null, tools: [{ type: 'agent_toolset_20260401' }] });
    assert.deepEqual([overridden.agent.system, overridden.agent.version, overridden.agent.tools.length], [null, 2, 1]);
    assert.match((await start({ type: 'agent', id, version: 9 })).error.message, /^agent: .* has no version 9/);
    assert.match((await start('agent_nowhere')).error.message, /^agent: agent not found/);
  });

  it('rejects invalid bodies and names the field', async () => {
    const { id: agent } = await agentNamed('Researcher');
    const environment_id = await environment();
    for (const [body, message] of [
      [{ environment_id }, /^agent: /],
      [{ agent }, /^environment_id: Field required/],
      [{ agent, environment_id: 'env_nowhere' }, /^Environment not found/],
      [{ agent, environment_id, title: 'x'.repeat(501) }, /^title: /],
      [
        { agent, environment_id, budget: { type: 'limit', max_list_cost: { amount: '01', currency: 'USD' } } },
        /^budget.max_list_cost.amount/,
      ],
      [{ agent, environment_id, resources: [{ type: 'file', file_id: 'file_nowhere' }] }, /^resources.0.file_id: file not found/],
      [{ agent, environment_id, resources: [{ type: 'github_repository', url: 'u', authorization_token: 't' }] }, /^resources.0.type: /],
      [{ agent, environment_id, initial_events: [{ type: 'user.interrupt' }] }, /^initial_events.0.type: /],
    ] as const) {
      const answer = await call(emulator, 'POST', sessions, body);
      assert.ok(answer.status === 400 || answer.status === 404, String(answer.status));
      assert.match(answer.json.error.message, message);
    }
    assert.deepEqual((await call(emulator, 'GET', sessions)).json.data, []);
  });

  it('runs at once if it has initial events', async () => {
    const { json } = await call(emulator, 'POST', sessions, {
      agent: (await agentNamed('Researcher')).id,
      environment_id: await environment(),
      initial_events: [{ type: 'user.message', content: [{ type: 'text', text: 'think' }] }],
    });
    assert.equal(json.status, 'running');
    await emulator.advanceClock(0);
    const session = SessionOnEmulator.of(emulator, json.id);
    assert.equal((await session.retrieve()).status, 'idle');
    assert.ok((await session.types()).includes('agent.thinking'));
  });

  it('filters the list by each filter', async () => {
    const first = await SessionOnEmulator.start(emulator, 'Researcher');
    const middle = (await call(emulator, 'POST', '/_emulator/clock', { advance: 60_000 })).json.now;
    const second = await SessionOnEmulator.start(emulator, 'Shopkeeper');
    const third = await SessionOnEmulator.start(emulator, 'Researcher');
    await second.say('terminate');
    await call(emulator, 'POST', item(third.id, '/archive'));
    const { id: researcher } = await agentNamed('Researcher');
    const list = async (query: string) => ids((await call(emulator, 'GET', `${sessions}&${query}`)).json);
    assert.deepEqual(await list(''), [second.id, first.id]);
    assert.deepEqual(await list('include_archived=true'), [third.id, second.id, first.id]);
    assert.deepEqual(await list('include_archived=true&order=asc'), [first.id, second.id, third.id]);
    assert.deepEqual(await list(`agent_id=${researcher}`), [first.id]);
    assert.deepEqual(await list(`agent_id=${researcher}&agent_version=2`), []);
    assert.deepEqual(await list('statuses[]=terminated'), [second.id]);
    assert.deepEqual(await list('statuses%5B%5D=terminated&statuses[]=idle'), [second.id, first.id]);
    assert.deepEqual(await list(`created_at[gte]=${middle}`), [second.id]);
    assert.deepEqual(await list(`created_at[lt]=${middle}`), [first.id]);
    for (const bad of [
      'statuses[]=sleepy',
      'order=sideways',
      'agent_version=1',
      'created_at[gt]=soon',
      'limit=0',
      'limit=1001',
      'page=x',
      'surprise=1',
    ]) {
      const answer = await call(emulator, 'GET', `${sessions}&${bad}`);
      assert.deepEqual([answer.status, answer.json.error?.type], [400, 'invalid_request_error'], bad);
    }
  });

  it('pages forwards and backwards, in one order', async () => {
    const made: string[] = [];
    for (let n = 0; n < 5; n++) {
      made.unshift((await SessionOnEmulator.start(emulator, 'Researcher')).id);
    }
    const page = async (query: string) => (await call(emulator, 'GET', `${sessions}&limit=2&${query}`)).json;
    const first = await page('');
    assert.deepEqual([ids(first), first.prev_page], [made.slice(0, 2), null]);
    const second = await page(`page=${encodeURIComponent(first.next_page)}`);
    const third = await page(`page=${encodeURIComponent(second.next_page)}`);
    assert.deepEqual([ids(second), ids(third), third.next_page], [made.slice(2, 4), made.slice(4), null]);
    assert.deepEqual(ids(await page(`page=${encodeURIComponent(third.prev_page)}`)), made.slice(2, 4));
    assert.deepEqual(ids(await page(`page=${encodeURIComponent(second.prev_page)}`)), made.slice(0, 2));
    const mixed = await call(emulator, 'GET', `${sessions}&order=asc&page=${encodeURIComponent(first.next_page)}`);
    assert.equal(mixed.status, 400);
  });

  it('changes title, labels and tools, and logs the change', async () => {
    const session = await SessionOnEmulator.start(emulator, 'Researcher', { metadata: { a: '1' } });
    const patch = { title: 'New', metadata: { a: null, b: '2' }, agent: { tools: [], mcp_servers: [] } };
    const changed = (await call(emulator, 'POST', item(session.id), patch)).json;
    assert.deepEqual([changed.title, changed.metadata, changed.agent.tools], ['New', { b: '2' }, []]);
    const event = await session.last('session.updated');
    assert.deepEqual([event.title, event.metadata], ['New', { b: '2' }]);
    assert.equal((await call(emulator, 'POST', item(session.id), { vault_ids: [] })).status, 400);
    assert.equal((await call(emulator, 'POST', item(session.id), { title: '' })).status, 400);
  });

  it("is archived or deleted only when it isn't running, and archived permanently", async () => {
    emulator.setScenario({ sessionPause: 1000 });
    const session = await SessionOnEmulator.start(emulator, 'Researcher');
    await call(emulator, 'POST', item(session.id, '/events'), {
      events: [{ type: 'user.message', content: [{ type: 'text', text: 'slow 30' }] }],
    });
    await emulator.advanceClock(0);
    assert.equal((await session.retrieve()).status, 'running');
    assert.match((await call(emulator, 'POST', item(session.id, '/archive'))).json.error.message, /running sessions cannot be archived/);
    assert.equal((await call(emulator, 'DELETE', item(session.id))).status, 400);
    await session.send({ type: 'user.interrupt' });
    const archived = await call(emulator, 'POST', item(session.id, '/archive'));
    assert.deepEqual([archived.status, archived.json.status], [200, 'idle']);
    assert.ok(archived.json.archived_at);
    await emulator.advanceClock(10_000);
    assert.equal((await call(emulator, 'POST', item(session.id, '/archive'))).json.archived_at, archived.json.archived_at);
    assert.match((await session.say('hello')).json.error.message, /archived sessions do not accept/);
    assert.equal((await call(emulator, 'POST', item(session.id), { title: 'x' })).status, 400);
    assert.ok((await session.events()).length > 0);
  });

  it('reports its deletion on its streams, and ends them', async () => {
    const session = await SessionOnEmulator.start(emulator, 'Researcher');
    const stream = await openStream(emulator, item(session.id, '/events/stream'));
    assert.deepEqual((await call(emulator, 'DELETE', item(session.id))).json, { id: session.id, type: 'session_deleted' });
    assert.equal(await stream.ended, 'ended');
    assert.deepEqual(
      stream.events.map(({ type }) => type),
      ['session.deleted'],
    );
    for (const [method, below] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/events'],
      ['GET', '/events/stream'],
      ['GET', '/threads'],
    ] as const) {
      assert.equal((await call(emulator, method, item(session.id, below))).status, 404);
    }
  });

  it('adds, lists and removes resources, and never shows a token', async () => {
    const form = new FormData();
    form.append('file', new Blob(['a,b']), 'data.csv');
    const headers = { 'x-api-key': emulator.key, 'vendor-beta': 'files-api-2025-04-14' };
    const { id: file_id } = (await (await fetch(`${emulator.url}/v1/files`, { method: 'POST', headers, body: form })).json()) as {
      id: string;
    };
    const repository = { type: 'git_repository', url: 'https://example.com/acme/repo.git', authorization_token: 'secret-token' };
    const session = await SessionOnEmulator.start(emulator, 'Researcher', {
      resources: [
        { type: 'file', file_id },
        { ...repository, checkout: { type: 'branch', name: 'main' } },
      ],
    });
    const { resources } = await session.retrieve();
    assert.deepEqual(
      resources.map((resource: { mount_path: string }) => resource.mount_path),
      [`/mnt/session/uploads/${file_id}`, '/workspace/repo'],
    );
    assert.ok(!JSON.stringify(resources).includes('secret-token'));
    const added = (await call(emulator, 'POST', item(session.id, '/resources'), { type: 'file', file_id, mount_path: '/data.csv' })).json;
    assert.deepEqual((await call(emulator, 'GET', item(session.id, `/resources/${added.id}`))).json, added);
    assert.deepEqual((await call(emulator, 'DELETE', item(session.id, `/resources/${added.id}`))).json, {
      id: added.id,
      type: 'session_resource_deleted',
    });
    assert.deepEqual((await call(emulator, 'GET', item(session.id, '/resources'))).json.data, resources);
    assert.equal((await call(emulator, 'GET', item(session.id, `/resources/${added.id}`))).status, 404);
  });

  const repository = { type: 'git_repository', url: 'https://example.com/acme/repo.git', authorization_token: 'secret-token' };
  const create = async (body: object) => {
    const { id: agent } = await agentNamed('Researcher');
    return call(emulator, 'POST', sessions, { agent, environment_id: await environment(), ...body });
  };

  it('accepts a new token only for a repository, and never shows it', async () => {
    const session = await SessionOnEmulator.start(emulator, 'Researcher', { resources: [repository] });
    const [{ id }] = (await session.retrieve()).resources;
    const path = item(session.id, `/resources/${id}`);
    const rotated = await call(emulator, 'POST', path, { authorization_token: 'another-token' });
    assert.deepEqual([rotated.status, rotated.json.id], [200, id]);
    assert.doesNotMatch(JSON.stringify([rotated.json, await session.retrieve()]), /-token"/);
    for (const authorization_token of ['', 'x'.repeat(4097)]) {
      assert.match((await call(emulator, 'POST', path, { authorization_token })).json.error.message, /^authorization_token: /);
    }
  });

  it('accepts at most 8 memory stores, only at creation, and lists them without an ID', async () => {
    const stores: string[] = [];
    while (stores.length < 9) {
      const body = { name: `Notes ${stores.length}` };
      const headers = { 'vendor-beta': 'agent-memory-2026-07-22' };
      stores.push((await call(emulator, 'POST', '/v1/memory_stores?beta=true', body, headers)).json.id);
    }
    const store = (at: number) => ({ type: 'memory_store', memory_store_id: stores[at] });
    const many = await create({ resources: stores.map((_, at) => store(at)) });
    assert.deepEqual([many.status, many.json.error.message], [400, 'resources: At most 8 memory stores are permitted']);
    const { json } = await create({ resources: [{ ...store(1), access: 'read_only', instructions: 'Look first.' }, store(2)] });
    assert.deepEqual(
      json.resources.map(({ access, instructions, id }: Record<string, unknown>) => [access, instructions, id]),
      [
        ['read_only', 'Look first.', undefined],
        ['read_write', null, undefined],
      ],
    );
    assert.deepEqual((await call(emulator, 'GET', item(json.id, '/resources'))).json.data, json.resources);
    const late = await call(emulator, 'POST', item(json.id, '/resources'), store(3));
    assert.match(late.json.error.message, /^type: memory_store can be attached only when the session is created/);
  });

  it('accepts at most 500 resources, also one after another', async () => {
    const form = new FormData();
    form.append('file', new Blob(['a']), 'a.txt');
    const headers = { 'x-api-key': emulator.key, 'vendor-beta': 'files-api-2025-04-14' };
    const uploaded = await fetch(`${emulator.url}/v1/files`, { method: 'POST', headers, body: form });
    const { id: file_id } = (await uploaded.json()) as { id: string };
    const file = { type: 'file', file_id };
    assert.equal((await create({ resources: Array.from({ length: 501 }, () => file) })).status, 400);
    const { json } = await create({ resources: Array.from({ length: 499 }, () => file) });
    assert.equal((await call(emulator, 'POST', item(json.id, '/resources'), file)).status, 200);
    const over = await call(emulator, 'POST', item(json.id, '/resources'), file);
    assert.deepEqual([over.status, over.json.error.message], [400, 'resources: At most 500 are permitted']);
  });

  it('offers late repositories, budgets and overrides in the styles of other services', async () => {
    const budget = { type: 'limit', max_list_cost: { amount: '500', currency: 'USD' } };
    const { id } = await agentNamed('Researcher');
    const outcome = async (serverStyle: ServerStyleName) => {
      emulator.setScenario({ serverStyle });
      const { json } = await create({});
      const late = await call(emulator, 'POST', item(json.id, '/resources'), repository);
      const capped = await create({ budget });
      const overridden = await create({ agent: { type: 'agent_with_overrides', id, system: 'x' } });
      return [late.status, capped.status, capped.json.budget ?? null, overridden.status];
    };
    assert.deepEqual(await outcome('vendor'), [400, 200, budget, 200]);
    assert.deepEqual(await outcome('serverA'), [200, 200, null, 400]);
    assert.deepEqual(await outcome('serverB'), [400, 400, null, 200]);
  });
});
