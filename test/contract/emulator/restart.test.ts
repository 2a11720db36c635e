import assert from 'node:assert/strict';
import { once } from 'node:events';
import { appendFile, cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { batchOf, call, SessionOnEmulator } from '../../helpers/emulatorClient';
import { withFaultyDisk } from '../../helpers/faultyDisk';
import { manifestText } from '../../helpers/skillFiles';

describe('emulator/sessions/sessionState', () => {
  let stateFolder: string;
  let emulator: Emulator;

  const open = async () => {
    emulator = await startEmulator({ stateFolder, scenario: { sessionPause: 0 } });
  };
  const restart = async () => {
    await emulator.stop();
    await open();
  };

  beforeEach(async () => {
    stateFolder = await mkdtemp(path.join(tmpdir(), 'emulator-sessions-'));
    await open();
  });
  afterEach(async () => {
    await emulator.stop();
    await rm(stateFolder, { recursive: true });
  });

  const allow = (id: unknown) => ({ type: 'user.tool_confirmation', tool_use_id: id, result: 'allow' });
  const list = async (what: string) => (await call(emulator, 'GET', `/v1/${what}?beta=true&include_archived=true`)).json.data;

  it('has everything after a restart', async () => {
    await call(emulator, 'POST', '/v1/agents?beta=true', { name: 'Mine', model: 'vendor-opus-5' });
    const session = await SessionOnEmulator.start(emulator, 'Coordinator', { title: 'Kept', metadata: { a: 'b' } });
    await session.say('delegate');
    const child = String((await session.last('session.thread_created')).session_thread_id);
    const gone = await SessionOnEmulator.start(emulator, 'Researcher');
    await gone.say('think');
    await call(emulator, 'DELETE', `/v1/sessions/${gone.id}?beta=true`);
    const seen = async () => {
      const { stats: _, ...body } = await SessionOnEmulator.of(emulator, session.id).retrieve();
      const again = SessionOnEmulator.of(emulator, session.id);
      return [body, await again.events(), await again.events('order=asc', child), await list('agents'), await list('environments')];
    };
    const before = await seen();
    await restart();
    assert.deepEqual(await seen(), before);
    assert.equal((await list('sessions')).length, 1);
    await SessionOnEmulator.of(emulator, session.id).say('think');
    assert.equal((await list('sessions'))[0].status, 'idle');
    await emulator.stop();
    assert.deepEqual((await readdir(path.join(stateFolder, 'sessions'))).sort(), [session.id, `${session.id}.json`]);
  });

  it("creates no batch that it can't record", async () => {
    const { error } = console;
    console.error = () => {};
    try {
      const create = () => call(emulator, 'POST', '/v1/messages/batches?beta=true', batchOf('a'));
      const refused = await withFaultyDisk('renameSync', 'ENOSPC', '.json.new', create);
      assert.equal(refused.status, 500);
      assert.deepEqual((await call(emulator, 'GET', '/v1/messages/batches?beta=true')).json.data, []);
      assert.equal((await create()).status, 200);
    } finally {
      console.error = error;
    }
  });

  it('loads every record that version 0.4.0 wrote', async () => {
    await emulator.stop();
    const records = 'test/fixtures/records/0.4.0/emulator';
    await rm(stateFolder, { recursive: true });
    await cp(records, stateFolder, { recursive: true });
    await open();
    const groups = ['agents', 'environments', 'deployments', 'vaults', 'webhooks', 'memory_stores', 'skills', 'files', 'sessions'];
    for (const group of groups) {
      const folder = path.join(records, group.replace('_', '-'));
      const ids = (await readdir(folder)).filter(name => /^(?!skillver_).*\.json$/.test(name)).map(name => path.parse(name).name);
      const listed: { readonly id: string }[] = (await call(emulator, 'GET', `/v1/${group}?beta=true`)).json.data;
      assert.deepEqual(listed.map(({ id }) => id).sort(), ids.sort(), group);
    }
    const { json } = await call(emulator, 'GET', '/v1/messages/batches?beta=true');
    assert.equal(json.data.length, 1);
    const session = (await list('sessions')).find(({ title }: { readonly title: string }) => title === 'Kept session');
    assert.ok((await SessionOnEmulator.of(emulator, session.id).events()).length > 5);
  });

  it('has the same address after a restart, unless its port was taken', async () => {
    const { url } = emulator;
    await restart();
    assert.equal(emulator.url, url);
    await emulator.stop();
    const taker = createServer().listen(Number(new URL(url).port), '127.0.0.1');
    await once(taker, 'listening');
    await open();
    taker.close();
    assert.notEqual(emulator.url, url);
  });

  it('has skills, their versions and archives after a restart', async () => {
    const form = new FormData();
    form.append('display_title', 'Kept');
    form.append('files[]', new File([manifestText('kept')], 'kept/SKILL.md'));
    const headers = () => ({ 'x-api-key': emulator.key, 'vendor-beta': 'skills-2025-10-02' });
    const upload = await fetch(`${emulator.url}/v1/skills?beta=true`, { method: 'POST', headers: headers(), body: form });
    const skill = (await upload.json()) as { readonly id: string; readonly latest_version: string };
    const seen = async () => {
      const at = (below: string) => call(emulator, 'GET', `/v1/skills${below}?beta=true`, undefined, headers());
      const versions = `/${skill.id}/versions`;
      return [(await at('')).json, (await at(versions)).json, (await at(`${versions}/${skill.latest_version}/content`)).text];
    };
    const before = await seen();
    assert.equal(before[0].data[0].display_title, 'Kept');
    await restart();
    assert.deepEqual(await seen(), before);
  });

  it('still waits for the same answers on every thread', async () => {
    const session = await SessionOnEmulator.start(emulator, 'Coordinator');
    await session.say('delegate both ask');
    await session.say('think');
    const asks = (await session.events()).filter(({ type }) => type === 'agent.tool_use');
    await restart();
    const again = SessionOnEmulator.of(emulator, session.id);
    assert.equal((await again.events()).length, (await again.events()).length);
    assert.equal((await again.retrieve()).status, 'idle');
    assert.equal((await again.send(allow(asks[1]?.id))).status, 200);
    assert.deepEqual((await again.last('session.status_idle')).stop_reason, { type: 'requires_action', event_ids: [asks[0]?.id] });
    assert.equal((await again.send(allow(asks[0]?.id))).status, 200);
    assert.deepEqual((await again.last('session.status_idle')).stop_reason, { type: 'end_turn' });
    for (const { id, session_thread_id: thread } of asks) {
      assert.ok((await again.events('order=asc', String(thread))).some(({ tool_use_id }) => tool_use_id === id));
    }
    assert.ok((await again.types()).includes('agent.thinking'), 'the message that was queued');
    assert.ok((await again.events()).every(({ processed_at }) => processed_at !== null));
  });

  it('reports that running work was stopped, and continues on request', async () => {
    emulator.setScenario({ sessionPause: 60_000 });
    const session = await SessionOnEmulator.start(emulator, 'Researcher');
    await session.say('think');
    await session.say('markdown');
    assert.equal((await session.retrieve()).status, 'running');
    await restart();
    await emulator.advanceClock(0);
    const again = SessionOnEmulator.of(emulator, session.id);
    assert.equal((await again.retrieve()).status, 'idle');
    const types = await again.types();
    const failed = types.indexOf('session.error');
    assert.deepEqual(types.slice(failed, failed + 4), [
      'session.error',
      'session.thread_status_idle',
      'session.usage',
      'session.status_idle',
    ]);
    assert.deepEqual([types.indexOf('agent.message') > failed, types.includes('agent.thinking')], [true, false]);
    await again.say('think');
    assert.deepEqual((await again.last('session.status_idle')).stop_reason, { type: 'end_turn' });
  });

  it('ends a running thread beside a waiting one', async () => {
    const make = (name: string, type: string) => {
      const tools = [{ type: 'agent_toolset_20260401', default_config: { permission_policy: { type } } }];
      return call(emulator, 'POST', '/v1/agents?beta=true', { name, model: 'm', tools });
    };
    const agents = [(await make('Free', 'always_allow')).json.id, (await make('Bound', 'always_ask')).json.id];
    const multiagent = { type: 'coordinator', agents };
    const { id } = (await call(emulator, 'POST', '/v1/agents?beta=true', { name: 'Lead', model: 'm', multiagent })).json;
    emulator.setScenario({ sessionPause: 1000, streamPause: 0 });
    const session = await SessionOnEmulator.start(emulator, id);
    await session.say('delegate both');
    while (!(await session.types()).includes('agent.tool_use')) {
      await emulator.advanceClock(100);
    }
    assert.equal((await session.retrieve()).status, 'running');
    await restart();
    const again = SessionOnEmulator.of(emulator, session.id);
    const use = await again.last('agent.tool_use');
    assert.deepEqual((await again.last('session.status_idle')).stop_reason, { type: 'requires_action', event_ids: [use.id] });
    const statuses = async () =>
      (await call(emulator, 'GET', `/v1/sessions/${session.id}/threads?beta=true`)).json.data.map(
        (thread: { status: string }) => thread.status,
      );
    assert.deepEqual(await statuses(), ['idle', 'idle', 'idle']);
    await again.send(allow(use.id));
    assert.deepEqual((await again.last('session.status_idle')).stop_reason, { type: 'end_turn' });
    assert.deepEqual(await statuses(), ['idle', 'idle', 'idle']);
  });

  it('skips a line of a log that was written incompletely', async () => {
    const session = await SessionOnEmulator.start(emulator, 'Researcher');
    await session.say('think');
    const before = await session.events();
    await emulator.stop();
    const folder = path.join(stateFolder, 'sessions', session.id);
    await appendFile(path.join(folder, (await readdir(folder))[0] ?? ''), '1234567 {"type":"agent.mess');
    await open();
    assert.deepEqual(await SessionOnEmulator.of(emulator, session.id).events(), before);
  });
});
