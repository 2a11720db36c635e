import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { call, SessionOnEmulator } from '../../helpers/emulatorClient';

const environments = '/v1/environments?beta=true';

describe('emulator/environments', () => {
  let emulator: Emulator;

  beforeEach(async () => {
    emulator = await startEmulator({ scenario: { sessionPause: 0 } });
  });
  afterEach(() => emulator.stop());

  const item = (id: string, action = '') => `/v1/environments/${id}${action}?beta=true`;

  it('starts with one', async () => {
    const { data } = (await call(emulator, 'GET', environments)).json;
    assert.deepEqual(
      data.map((environment: { name: string; config: object }) => [environment.name, environment.config]),
      [
        [
          'Default',
          {
            type: 'cloud',
            networking: { type: 'unrestricted' },
            packages: { type: 'packages', apt: [], cargo: [], gem: [], go: [], npm: [], pip: [] },
          },
        ],
      ],
    );
  });

  it('creates, changes, archives and deletes', async () => {
    const created = await call(emulator, 'POST', environments, {
      name: 'dev',
      config: { type: 'cloud', networking: { type: 'limited', allowed_hosts: ['api.example.com'] }, packages: { pip: ['numpy'] } },
      metadata: { k: 'v' },
    });
    assert.equal(created.status, 200);
    const { id, config } = created.json;
    assert.deepEqual(config.networking, {
      type: 'limited',
      allow_mcp_servers: false,
      allow_package_managers: false,
      allowed_hosts: ['api.example.com'],
    });
    assert.deepEqual(config.packages.pip, ['numpy']);
    const changed = (await call(emulator, 'POST', item(id), { description: 'mine', metadata: { k: null } })).json;
    assert.deepEqual([changed.name, changed.description, changed.metadata, changed.config], ['dev', 'mine', {}, config]);
    const archived = (await call(emulator, 'POST', item(id, '/archive'))).json;
    assert.ok(archived.archived_at);
    assert.equal((await call(emulator, 'GET', environments)).json.data.length, 1);
    assert.equal((await call(emulator, 'GET', `${environments}&include_archived=true`)).json.data.length, 2);
    assert.deepEqual((await call(emulator, 'DELETE', item(id))).json, { id, type: 'environment_deleted' });
    assert.equal((await call(emulator, 'GET', item(id))).status, 404);
  });

  it("doesn't delete one that a session uses or start sessions in an archived one, and rejects invalid bodies", async () => {
    const { id, description } = (await call(emulator, 'POST', environments, { name: 'used' })).json;
    assert.equal(description, '');
    const session = await SessionOnEmulator.start(emulator, 'Researcher', { environment_id: id });
    assert.equal((await call(emulator, 'DELETE', item(id))).status, 400);
    await call(emulator, 'POST', `/v1/sessions/${session.id}/archive?beta=true`);
    assert.equal((await call(emulator, 'POST', item(id, '/archive'))).status, 200);
    await assert.rejects(SessionOnEmulator.start(emulator, 'Researcher', { environment_id: id }), /environment \S+ is archived/);
    assert.equal((await call(emulator, 'DELETE', item(id))).status, 200);
    assert.match((await call(emulator, 'POST', environments, {})).json.error.message, /^name: Field required/);
    assert.match(
      (await call(emulator, 'POST', environments, { name: 'x', config: { type: 'moon' } })).json.error.message,
      /^config.type: /,
    );
  });
});

describe('emulator/environments/work', () => {
  let emulator: Emulator;

  beforeEach(async () => {
    emulator = await startEmulator({ scenario: { sessionPause: 0 } });
  });
  afterEach(() => emulator.stop());

  /** Creates a self-hosted environment with a session that waits for a machine. */
  async function queued() {
    const { id } = (await call(emulator, 'POST', environments, { name: 'mine', config: { type: 'self_hosted' } })).json;
    const session = await SessionOnEmulator.start(emulator, 'Researcher', { environment_id: id });
    const at = (below: string) => `/v1/environments/${id}/work${below}?beta=true`;
    return { id, session, at };
  }

  it('queues sessions of self-hosted environments until they are stopped', async () => {
    const { id, session, at } = await queued();
    const stats = async () => {
      const { depth, pending, workers_polling, oldest_queued_at } = (await call(emulator, 'GET', at('/stats'))).json;
      return [depth, pending, workers_polling, oldest_queued_at !== null];
    };
    assert.deepEqual(await stats(), [1, 0, 0, true]);
    const { data } = (await call(emulator, 'GET', at(''))).json;
    assert.deepEqual(
      [data.length, data[0].state, data[0].data, data[0].environment_id],
      [1, 'queued', { type: 'session', id: session.id }, id],
    );
    const stopped = (await call(emulator, 'POST', at(`/${data[0].id}/stop`), {})).json;
    assert.deepEqual([stopped.state, stopped.stopped_at !== null], ['stopped', true]);
    assert.deepEqual(await stats(), [0, 0, 0, false]);
    assert.equal((await call(emulator, 'GET', at(`/${data[0].id}`))).json.state, 'stopped');
  });

  it('has no work in cloud environments', async () => {
    const { at } = await queued();
    assert.equal((await call(emulator, 'GET', at('/work_none'))).status, 404);
    const [cloud] = (await call(emulator, 'GET', environments)).json.data.filter(({ name }: { name: string }) => name === 'Default');
    assert.equal((await call(emulator, 'GET', `/v1/environments/${cloud.id}/work/stats?beta=true`)).status, 400);
  });
});

describe('emulator/files', () => {
  let emulator: Emulator;

  beforeEach(async () => {
    emulator = await startEmulator({ scenario: { sessionPause: 0 } });
  });
  afterEach(() => emulator.stop());

  async function upload(name: string, content: string | Uint8Array<ArrayBuffer>, to = emulator) {
    const form = new FormData();
    form.append('file', new Blob([content], { type: 'text/csv' }), name);
    const response = await fetch(`${to.url}/v1/files`, {
      method: 'POST',
      headers: { 'x-api-key': to.key, 'vendor-beta': 'files-api-2025-04-14' },
      body: form,
    });
    return { status: response.status, json: JSON.parse(await response.text()) };
  }

  it("lists files in the contract's page shape, and rejects unknown filters", async () => {
    await upload('a.txt', 'a');
    await upload('b.txt', 'b');
    const first = (await call(emulator, 'GET', '/v1/files?limit=1')).json;
    assert.deepEqual(Object.keys(first), ['data', 'next_page']);
    const last = (await call(emulator, 'GET', `/v1/files?limit=1&page=${encodeURIComponent(first.next_page)}`)).json;
    assert.deepEqual([first.data[0].filename, last.data[0].filename, last.next_page], ['b.txt', 'a.txt', null]);
    for (const filter of ['after_id=x', 'purpose=batch', 'scope_id=x&unheard=1']) {
      const { status, json } = await call(emulator, 'GET', `/v1/files?${filter}`);
      assert.deepEqual([status, json.error.type], [400, 'invalid_request_error']);
    }
  });

  it('stores files of any bytes, lists them by ID, and deletes them', async () => {
    emulator.setScenario({ envelope: 'ids' });
    const bytes = Uint8Array.from({ length: 100_000 }, (_, n) => (n * 7) % 256);
    const first = await upload('data.csv', bytes);
    assert.deepEqual(
      [first.status, first.json.filename, first.json.mime_type, first.json.size_bytes],
      [200, 'data.csv', 'text/csv', 100_000],
    );
    assert.deepEqual([first.json.type, first.json.downloadable, first.json.scope], ['file', false, null]);
    const second = (await upload('leer.txt', '')).json;
    const page = (await call(emulator, 'GET', '/v1/files?limit=1')).json;
    assert.deepEqual(page, { data: [second], has_more: true, first_id: second.id, last_id: second.id });
    const rest = (await call(emulator, 'GET', `/v1/files?limit=1&after_id=${second.id}`)).json;
    assert.deepEqual([rest.data, rest.has_more], [[first.json], false]);
    assert.equal((await call(emulator, 'GET', `/v1/files/${first.json.id}/content`)).status, 400);
    assert.deepEqual((await call(emulator, 'DELETE', `/v1/files/${second.id}`)).json, { id: second.id, type: 'file_deleted' });
    assert.equal((await call(emulator, 'GET', `/v1/files/${second.id}`)).status, 404);
  });

  it("expires files in the vendor's newer dialect", async () => {
    await emulator.stop();
    emulator = await startEmulator({ dialect: 'anthropic-2026' });
    const vendor = { 'anthropic-version': '2026-10-21', 'anthropic-beta': 'files-api-2025-04-14' };
    const get = (path: string) => call(emulator, 'GET', path, undefined, vendor);
    const send = async (seconds?: string) => {
      const form = new FormData();
      if (seconds !== undefined) {
        form.append('expires_in_seconds', seconds);
      }
      form.append('file', new Blob(['x']), 'deep/in/soon.txt');
      const headers = { 'x-api-key': emulator.key, ...vendor };
      const response = await fetch(`${emulator.url}/v1/files`, { method: 'POST', headers, body: form });
      return { status: response.status, json: JSON.parse(await response.text()) };
    };
    assert.equal((await send('60')).status, 400);
    const { json: soon } = await send('3600');
    assert.ok(Date.parse(soon.expires_at) > Date.now());
    const { json: upload } = await send();
    assert.equal(upload.expires_at, null);
    const page = (await get('/v1/files?limit=1')).json;
    assert.deepEqual([page.data[0].id, page.has_more, typeof page.next_page], [upload.id, undefined, 'string']);
    const named = (await get(`/v1/files?ids[]=${soon.id}`)).json;
    assert.deepEqual(
      named.data.map(({ id, filename }: { id: string; filename: string }) => [id, filename]),
      [[soon.id, 'soon.txt']],
    );
    await emulator.advanceClock(3_601_000);
    assert.equal((await get(`/v1/files/${soon.id}`)).status, 404);
    assert.equal((await get('/v1/files')).json.data.length, 1);
  });

  it("rejects a body that isn't a form with a file", async () => {
    assert.equal((await call(emulator, 'POST', '/v1/files', { file: 'x' })).status, 400);
    const body = '--b\r\nContent-Disposition: form-data; name="other"\r\n\r\nx\r\n--b--\r\n';
    const answer = await call(emulator, 'POST', '/v1/files', body, { 'content-type': 'multipart/form-data; boundary=b' });
    assert.deepEqual([answer.status, answer.json.error.message], [400, 'file: Field required']);
    const cut = await call(emulator, 'POST', '/v1/files', body.slice(0, 60), { 'content-type': 'multipart/form-data; boundary=b' });
    assert.equal(cut.status, 400);
  });

  it('serves a file that a session wrote', async () => {
    const session = await SessionOnEmulator.start(emulator, 'Researcher');
    await session.say('file notes.md');
    await upload('other.csv', 'a,b');
    const { data } = (await call(emulator, 'GET', `/v1/files?scope_id=${session.id}`)).json;
    assert.deepEqual([data.length, data[0].filename, data[0].downloadable, data[0].scope.id], [1, 'notes.md', true, session.id]);
    const { text, headers } = await call(emulator, 'GET', `/v1/files/${data[0].id}/content`);
    assert.ok(text.startsWith('# Report'));
    assert.equal(headers.get('content-disposition'), 'attachment; filename="notes.md"');
  });

  it('keeps files across a restart', async () => {
    const stateFolder = await mkdtemp(path.join(tmpdir(), 'emulator-files-'));
    try {
      const before = await startEmulator({ stateFolder });
      const { id } = (await upload('kept.csv', 'a,b', before)).json;
      await before.stop();
      const after = await startEmulator({ stateFolder });
      assert.equal((await call(after, 'GET', `/v1/files/${id}`)).json.filename, 'kept.csv');
      await after.stop();
    } finally {
      await rm(stateFolder, { recursive: true });
    }
  });
});
