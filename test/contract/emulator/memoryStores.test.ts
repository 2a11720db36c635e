import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { call as callAny, SessionOnEmulator } from '../../helpers/emulatorClient';

const stores = '/v1/memory_stores';
const headers = { 'vendor-beta': 'agent-memory-2026-07-22' };

function call(emulator: Emulator, method: string, address: string, body?: object) {
  return callAny(emulator, method, `${address}${address.includes('?') ? '&' : '?'}beta=true`, body, headers);
}

const sha = (text: string) => createHash('sha256').update(text).digest('hex');

describe('emulator/memories', () => {
  let emulator: Emulator;
  let store: string;

  beforeEach(async () => {
    emulator = await startEmulator({ scenario: { sessionPause: 0 } });
    store = (await call(emulator, 'POST', stores, { name: 'Mine', description: 'd' })).json.id;
  });
  afterEach(() => emulator.stop());

  const memories = (below = '') => `${stores}/${store}/memories${below}`;
  const versions = (below = '') => `${stores}/${store}/memory_versions${below}`;
  const write = async (at: string, content: string) => (await call(emulator, 'POST', memories(), { path: at, content })).json;

  it('starts with one that contains memories in folders', async () => {
    const { data } = (await call(emulator, 'GET', stores)).json;
    const sample = data.find(({ name }: { name: string }) => name === 'Team Notes');
    const rows = (await call(emulator, 'GET', `${stores}/${sample.id}/memories?path_prefix=/&depth=1`)).json.data;
    assert.deepEqual(
      rows.map(({ type, path: at }: { type: string; path: string }) => [type, at]),
      [
        ['memory', '/preferences.md'],
        ['memory_prefix', '/project/'],
      ],
    );
  });

  it('creates, changes, archives and deletes stores', async () => {
    const changed = (await call(emulator, 'POST', `${stores}/${store}`, { name: 'Ours', metadata: { k: 'v' } })).json;
    assert.deepEqual([changed.name, changed.description, changed.metadata, changed.type], ['Ours', 'd', { k: 'v' }, 'memory_store']);
    assert.match((await call(emulator, 'POST', stores, { name: '' })).json.error.message, /^name: /);
    const { id } = await write('/kept.md', 'x');
    assert.ok((await call(emulator, 'POST', `${stores}/${store}/archive`)).json.archived_at);
    assert.equal((await call(emulator, 'GET', stores)).json.data.length, 1);
    assert.equal((await call(emulator, 'GET', `${stores}?include_archived=true`)).json.data.length, 2);
    for (const [method, address, body] of [
      ['POST', memories(), { path: '/new.md', content: '' }],
      ['POST', memories(`/${id}`), { content: 'y' }],
      ['DELETE', memories(`/${id}`), undefined],
      ['POST', `${stores}/${store}`, { name: 'Z' }],
    ] as const) {
      const { status, json } = await call(emulator, method, address, body);
      assert.deepEqual([status, json.error.message], [400, 'Memory store is archived'], address);
    }
    assert.equal((await call(emulator, 'GET', memories(`/${id}`))).json.content, 'x');
    assert.equal((await call(emulator, 'DELETE', `${stores}/${store}`)).json.type, 'memory_store_deleted');
    assert.equal((await call(emulator, 'GET', memories())).status, 404);
  });

  it('accepts only paths and contents within the limits', async () => {
    for (const at of ['a', '/', '/a//b', '/a/', '/./a', '/a/..', '/a\nb', '/a\u2028b', `/${'é'.repeat(513)}`, '/e\u0301']) {
      assert.equal((await call(emulator, 'POST', memories(), { path: at, content: '' })).status, 400, JSON.stringify(at));
    }
    const most = 'é'.repeat(51_200);
    assert.equal((await call(emulator, 'POST', memories(), { path: '/most', content: `${most}x` })).status, 400);
    assert.equal((await call(emulator, 'POST', memories(), { path: '/most', content: most })).json.content_size_bytes, 102_400);
    assert.equal((await call(emulator, 'POST', memories(), { path: '/\u202egnp.\u4e16 %2f?', content: '' })).status, 200);
  });

  it('rejects an existing path, and a change that is based on an outdated version', async () => {
    const { id } = await write('/a.md', 'one');
    const other = await write('/b.md', 'two');
    const taken = await call(emulator, 'POST', memories(), { path: '/a.md', content: '' });
    const { type, conflicting_memory_id, conflicting_path } = taken.json.error;
    assert.deepEqual([taken.status, type, conflicting_memory_id, conflicting_path], [409, 'memory_path_conflict_error', id, '/a.md']);
    assert.equal((await call(emulator, 'POST', memories(`/${other.id}`), { path: '/a.md' })).status, 409);
    const precondition = (text: string) => ({ type: 'content_sha256', content_sha256: sha(text) });
    const stale = await call(emulator, 'POST', memories(`/${id}`), { content: 'x', precondition: precondition('zero') });
    assert.deepEqual([stale.status, stale.json.error.type], [409, 'memory_precondition_failed_error']);
    const fresh = (await call(emulator, 'POST', memories(`/${id}`), { content: 'x', precondition: precondition('one') })).json;
    assert.deepEqual([fresh.content_sha256, fresh.content], [sha('x'), null]);
    const moved = (await call(emulator, 'POST', memories(`/${id}?view=full`), { path: '/deep/a.md' })).json;
    assert.deepEqual([moved.path, moved.content], ['/deep/a.md', 'x']);
    assert.equal((await call(emulator, 'DELETE', memories(`/${id}?expected_content_sha256=12`))).status, 400);
    assert.equal((await call(emulator, 'DELETE', memories(`/${id}?expected_content_sha256=${sha('one')}`))).status, 409);
    assert.deepEqual((await call(emulator, 'DELETE', memories(`/${id}?expected_content_sha256=${sha('x')}`))).json, {
      id,
      type: 'memory_deleted',
    });
  });

  it('lists by path, page by page, by folders or with contents', async () => {
    for (const at of ['/b', '/a/2', '/a/1', '/a/deep/1', '/c']) {
      await write(at, at);
    }
    const list = async (query: string) => (await call(emulator, 'GET', memories(query))).json;
    const paths = (page: { data: { path: string }[] }) => page.data.map(({ path: at }) => at);
    assert.deepEqual(paths(await list('')), ['/a/1', '/a/2', '/a/deep/1', '/b', '/c']);
    const first = await list('?depth=1&limit=2');
    assert.deepEqual(paths(first), ['/a/', '/b']);
    assert.deepEqual(paths(await list(`?depth=1&limit=2&page=${encodeURIComponent(first.next_page)}`)), ['/c']);
    assert.deepEqual(paths(await list('?path_prefix=/a/&depth=1')), ['/a/1', '/a/2', '/a/deep/']);
    assert.deepEqual((await list('?view=full')).data[0].content, '/a/1');
    assert.equal((await call(emulator, 'GET', memories('?path_prefix=/a'))).status, 400);
    assert.equal((await call(emulator, 'GET', memories('?depth=2'))).status, 400);
    for (let n = 0; n < 20; n++) {
      await write(`/many/${n}`, '');
    }
    assert.equal((await list('?view=full&limit=100')).data.length, 20);
  });

  it('keeps a version of each write with its author, and erases old versions', async () => {
    const { id, memory_version_id: made } = await write('/a.md', 'secret');
    const current = (await call(emulator, 'POST', memories(`/${id}`), { content: 'plain' })).json.memory_version_id;
    const session = await SessionOnEmulator.start(emulator, 'Researcher');
    await session.say('remember /a.md as the agent has it');
    const all = (await call(emulator, 'GET', versions(`?memory_id=${id}`))).json.data;
    assert.deepEqual(
      all.map(({ operation, created_by: by }: { operation: string; created_by: object }) => [operation, by]),
      [
        ['modified', { type: 'session_actor', session_id: session.id }],
        ['modified', { type: 'api_actor', api_key_id: 'apikey_emulator' }],
        ['created', { type: 'api_actor', api_key_id: 'apikey_emulator' }],
      ],
    );
    assert.equal((await call(emulator, 'GET', versions(`?session_id=${session.id}`))).json.data.length, 1);
    assert.equal((await call(emulator, 'GET', versions('?operation=created'))).json.data.length, 1);
    assert.equal((await call(emulator, 'GET', versions(`/${made}`))).json.content, 'secret');
    assert.equal((await call(emulator, 'POST', versions(`/${all[0].id}/redact`), {})).status, 400);
    const wiped = (await call(emulator, 'POST', versions(`/${made}/redact`), {})).json;
    assert.deepEqual([wiped.path, wiped.content, wiped.content_sha256, wiped.content_size_bytes], [null, null, null, null]);
    assert.ok(wiped.redacted_at !== null && wiped.redacted_by.type === 'api_actor');
    await call(emulator, 'DELETE', memories(`/${id}`));
    assert.equal((await call(emulator, 'POST', versions(`/${all[0].id}/redact`), {})).status, 200);
    assert.equal((await call(emulator, 'GET', versions(`/${current}`))).json.content, 'plain');
  });

  it('keeps everything across a restart', async () => {
    const stateFolder = await mkdtemp(path.join(tmpdir(), 'emulator-memories-'));
    try {
      const before = await startEmulator({ stateFolder });
      const [{ id }] = (await call(before, 'GET', stores)).json.data;
      await before.stop();
      const after = await startEmulator({ stateFolder });
      assert.equal((await call(after, 'GET', `${stores}/${id}/memories`)).json.data.length, 3);
      assert.equal((await call(after, 'GET', `${stores}/${id}/memory_versions`)).json.data.length, 4);
      await after.stop();
    } finally {
      await rm(stateFolder, { recursive: true });
    }
  });
});
