import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { call, SessionOnEmulator } from '../../helpers/emulatorClient';

const canary = 'CANARY-emulated-3c81';
const vaults = '/v1/vaults?beta=true';

describe('emulator/vaults', () => {
  let stateFolder: string;
  let emulator: Emulator;

  beforeEach(async () => {
    stateFolder = await mkdtemp(path.join(tmpdir(), 'emulator-vaults-'));
    emulator = await startEmulator({ stateFolder, scenario: { sessionPause: 0 } });
  });
  afterEach(async () => {
    await emulator.stop();
    await rm(stateFolder, { recursive: true });
  });

  const at = (id: string, below = '') => `/v1/vaults/${id}${below}?beta=true`;
  const makeVault = async (): Promise<string> => (await call(emulator, 'POST', vaults, { display_name: 'Keys' })).json.id;
  const bearer = (url = 'https://mcp.example.com/mcp', token = canary) => ({ type: 'static_bearer', mcp_server_url: url, token });
  const variable = (name = 'TOKEN', more: object = {}) => ({
    type: 'environment_variable',
    secret_name: name,
    secret_value: canary,
    networking: { type: 'limited', allowed_hosts: ['api.example.com', '*.example.org', '192.0.2.1'] },
    ...more,
  });
  const oauth = (more: object = {}) => ({
    type: 'mcp_oauth',
    mcp_server_url: 'https://mcp.example.com/oauth',
    access_token: canary,
    ...more,
  });
  const refresh = (token = canary) => ({
    refresh_token: token,
    token_endpoint: 'https://auth.example.com/token',
    client_id: 'me',
    token_endpoint_auth: { type: 'client_secret_basic', client_secret: canary },
  });
  const add = (vault: string, auth: object) => call(emulator, 'POST', at(vault, '/credentials'), { display_name: 'one', auth });

  it('creates, changes, lists, archives and deletes a vault with its credentials', async () => {
    const id = await makeVault();
    assert.match(id, /^vlt_/);
    assert.match((await call(emulator, 'POST', vaults, {})).json.error.message, /^display_name: Field required/);
    const changed = (await call(emulator, 'POST', at(id), { display_name: 'Other', metadata: { a: 'b' } })).json;
    assert.deepEqual([changed.display_name, changed.metadata, changed.type], ['Other', { a: 'b' }, 'vault']);
    const credential = (await add(id, bearer())).json.id;
    assert.ok((await call(emulator, 'POST', at(id, '/archive'))).json.archived_at);
    assert.ok((await call(emulator, 'GET', at(id, `/credentials/${credential}`))).json.archived_at);
    assert.equal((await add(id, bearer())).status, 400);
    assert.equal((await call(emulator, 'GET', vaults)).json.data.length, 0);
    assert.equal((await call(emulator, 'GET', `${vaults}&include_archived=true`)).json.data.length, 1);
    assert.deepEqual((await call(emulator, 'DELETE', at(id))).json, { id, type: 'vault_deleted' });
    assert.equal((await call(emulator, 'GET', at(id, `/credentials/${credential}`))).status, 404);
  });

  it('returns each kind of credential without secrets, in responses and on disk', async () => {
    const id = await makeVault();
    const made = [await add(id, bearer()), await add(id, variable()), await add(id, oauth({ refresh: refresh() }))];
    assert.deepEqual(
      made.map(({ json }) => json.auth),
      [
        { type: 'static_bearer', mcp_server_url: 'https://mcp.example.com/mcp' },
        {
          type: 'environment_variable',
          secret_name: 'TOKEN',
          networking: { type: 'limited', allowed_hosts: ['api.example.com', '*.example.org', '192.0.2.1'] },
          injection_location: { header: true, body: false },
        },
        {
          type: 'mcp_oauth',
          mcp_server_url: 'https://mcp.example.com/oauth',
          expires_at: null,
          refresh: {
            token_endpoint: 'https://auth.example.com/token',
            client_id: 'me',
            scope: null,
            resource: null,
            token_endpoint_auth: { type: 'client_secret_basic' },
          },
        },
      ],
    );
    const [{ json: first }] = made as [(typeof made)[number]];
    const answers = [
      ...made,
      await call(emulator, 'GET', at(id, '/credentials')),
      await call(emulator, 'POST', at(id, `/credentials/${first.id}`), { auth: { type: 'static_bearer', token: canary } }),
    ];
    assert.ok(answers.every(({ text, status }) => status === 200 && !text.includes(canary)));
    await emulator.stop();
    const files = await readdir(stateFolder, { recursive: true, withFileTypes: true });
    const texts = await Promise.all(
      files.filter(file => file.isFile()).map(file => readFile(path.join(file.parentPath, file.name), 'utf8')),
    );
    assert.ok(texts.some(text => text.includes('auth.example.com')));
    assert.ok(!texts.some(text => text.includes(canary)));
    assert.ok(!JSON.stringify(emulator.requests).includes(canary));
  });

  it('enforces the limits: one active credential per server or name, 20 per vault, hosts, fixed fields', async () => {
    const id = await makeVault();
    const first = (await add(id, bearer())).json;
    const again = await add(id, bearer());
    assert.deepEqual([again.status, again.json.error.type], [409, 'conflict_error']);
    const refused = async (auth: object, words: RegExp) => {
      const { status, json } = await add(id, auth);
      assert.equal(status, 400);
      assert.match(json.error.message, words);
    };
    await refused(variable('A', { networking: { type: 'limited', allowed_hosts: ['::1'] } }), /allowed_hosts\.0: must be a host name/);
    await refused(variable('A', { networking: { type: 'limited', allowed_hosts: ['https://a.com'] } }), /allowed_hosts\.0/);
    await refused(variable('A', { networking: { type: 'limited', allowed_hosts: Array(17).fill('a.com') } }), /allowed_hosts/);
    await refused(variable('A', { injection_location: { header: false, body: false } }), /at least one/);
    await refused(bearer('no url'), /mcp_server_url/);
    await refused({ type: 'later' }, /auth\.type/);
    const change = (body: object) => call(emulator, 'POST', at(id, `/credentials/${first.id}`), body);
    assert.equal((await change({ auth: { type: 'static_bearer', mcp_server_url: 'https://other.example.com' } })).status, 400);
    assert.match((await change({ auth: { type: 'mcp_oauth', access_token: 'x' } })).json.error.message, /immutable/);
    for (let n = 1; n < 20; n++) {
      assert.equal((await add(id, variable(`NAME_${n}`))).status, 200);
    }
    await refused(variable('ONE_MORE'), /at most 20/);
    // The service of an archived credential is free again.
    assert.ok((await call(emulator, 'POST', at(id, `/credentials/${first.id}/archive`))).json.archived_at);
    assert.equal((await change({ auth: { type: 'static_bearer', token: 'x' } })).status, 400);
    assert.equal((await add(id, bearer())).status, 200);
    assert.equal((await call(emulator, 'GET', at(await makeVault(), `/credentials/${first.id}`))).status, 404);
  });

  it('validates a credential, and reports the failed step and the outcome of the refresh', async () => {
    const id = await makeVault();
    let made = 0;
    const tried = async (auth: object) => {
      const { json } = await add(id, { ...oauth({ mcp_server_url: `https://mcp${made++}.example.com` }), ...auth });
      const {
        status,
        mcp_probe,
        refresh: renewal,
        has_refresh_token,
      } = (await call(emulator, 'POST', at(id, `/credentials/${json.id}/mcp_oauth_validate`))).json;
      return [status, mcp_probe?.http_response?.status_code, renewal?.status, has_refresh_token];
    };
    assert.deepEqual(await tried({}), ['valid', undefined, undefined, false]);
    assert.deepEqual(await tried({ access_token: 'expired' }), ['invalid', 401, 'no_refresh_token', false]);
    assert.deepEqual(await tried({ expires_at: '2020-01-01T00:00:00Z', refresh: refresh() }), ['valid', undefined, 'succeeded', true]);
    assert.deepEqual(await tried({ access_token: 'expired', refresh: refresh('invalid') }), ['invalid', 401, 'failed', true]);
    assert.deepEqual(await tried({ mcp_server_url: 'https://nowhere.invalid' }), ['unknown', undefined, undefined, false]);
    const { json } = await add(id, bearer());
    assert.equal((await call(emulator, 'POST', at(id, `/credentials/${json.id}/mcp_oauth_validate`))).status, 400);
  });

  it('starts a session only with existing vaults, and has them after a restart', async () => {
    const id = await makeVault();
    await add(id, bearer());
    await SessionOnEmulator.start(emulator, 'Researcher', { vault_ids: [id] });
    await assert.rejects(SessionOnEmulator.start(emulator, 'Researcher', { vault_ids: ['vlt_none'] }), /Vault not found/);
    const before = (await call(emulator, 'GET', at(id, '/credentials'))).json;
    await emulator.stop();
    emulator = await startEmulator({ stateFolder, scenario: { sessionPause: 0 } });
    assert.deepEqual((await call(emulator, 'GET', at(id, '/credentials'))).json, before);
    await call(emulator, 'POST', at(id, '/archive'));
    await assert.rejects(SessionOnEmulator.start(emulator, 'Researcher', { vault_ids: [id] }), /vault_ids\.0: the vault \S+ is archived/);
  });
});
