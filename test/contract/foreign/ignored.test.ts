import assert from 'node:assert/strict';
import type http from 'node:http';
import { dialects } from '../../../src/client/dialect';
import type { SessionBudget } from '../../../src/client/resources/sessions';
import type { ServiceClient } from '../../../src/client/serviceClient';
import type { CallResult } from '../../../src/client/transport/callResult';
import { startEmulator } from '../../../src/emulator/server';
import { agentDefinition } from '../../../src/features/resources/kinds/agentDefinition';
import { json, Loopback } from '../../unit/client/loopback';
import { fillPlaceholders } from '../../unit/features/requests/fillPlaceholders';
import { exchangesOf, Recorded } from './recorded';

const budget: SessionBudget = { type: 'limit', max_list_cost: { amount: '500', currency: 'USD' } };

describe('services of other makers: ignored fields', () => {
  const loopback = new Loopback();
  afterEach(() => loopback.closeAll());

  it('reports that a deployment has no budget, as recorded from a service that drops it', async () => {
    const [exchange] = exchangesOf('D2-superduck-deployment-budget');
    const service = await Recorded.serve(loopback, 'D2-superduck-deployment-budget');
    const { ignored } = await service.client.deployments.create(JSON.parse(exchange?.req ?? ''));
    assert.deepEqual(ignored, [{ path: 'budget', stored: undefined, isMoney: true }]);
  });

  it('reports nothing for agents and sessions that the emulator stores', async () => {
    const emulator = await startEmulator();
    loopback.onClose(() => emulator.stop());
    const client = loopback.client(emulator.url, { credential: async () => ({ key: emulator.key, origin: emulator.url }) });
    for (const { definition, label } of agentDefinition.templates(fillPlaceholders)) {
      const made = await client.agents.create(definition);
      assert.equal(made.ignored, undefined, label);
      const { id } = made.data;
      const changed = await client.agents.update(id, { version: 1, system: 'Be brief.', tools: [], mcp_servers: [], metadata: { a: 'b' } });
      assert.equal(changed.ignored, undefined, label);
      const cleared = await client.agents.update(id, { version: 2, system: null, metadata: { a: null } });
      assert.equal(cleared.ignored, undefined, label);
      const [environment] = (await client.environments.list({ limit: 1 })).items;
      const agent = { type: 'agent_with_overrides', id, version: 1, system: null } as const;
      const params = { agent, environment_id: environment?.id, title: 't', metadata: { a: 'b' }, budget };
      assert.equal((await client.sessions.create(params)).ignored, undefined, label);
    }
  });

  /** Writes of each kind, each with a field that the service ignores. */
  const writes: readonly (readonly [field: string, write: (client: ServiceClient) => Promise<CallResult<unknown>>])[] = [
    ['description', ({ agents }) => agents.create({ name: 'n', model: 'm', description: 'd' })],
    ['system', ({ agents }) => agents.update('x1', { version: 1, name: 'n', system: 's' })],
    ['budget', ({ sessions }) => sessions.create({ agent: 'a', title: 't', budget })],
    ['budget', ({ sessions }) => sessions.update('x1', { title: 't', budget })],
    ['config', ({ environments }) => environments.create({ name: 'n', config: { type: 'cloud' } })],
    ['config', ({ environments }) => environments.update('x1', { name: 'n', config: { type: 'cloud' } })],
    [
      'schedule',
      ({ deployments }) => deployments.create({ name: 'n', schedule: { type: 'cron', expression: '0 9 * * *', timezone: 'UTC' } }),
    ],
    ['budget', ({ deployments }) => deployments.update('x1', { name: 'n', budget })],
    ['description', ({ memoryStores }) => memoryStores.create({ name: 'n', description: 'd' })],
    ['metadata', ({ vaults }) => vaults.create({ display_name: 'n', metadata: { a: 'b' } })],
    ['auth', ({ vaults }) => vaults.credentials('v').create({ display_name: 'n', auth: { type: 'static_bearer', token: 'CANARY' } })],
    ['enabled_events', ({ webhooks }) => webhooks.create({ url: 'https://h/', name: 'n', enabled_events: ['session.error'] })],
    ['status', ({ webhooks }) => webhooks.update('x1', { name: 'n', status: 'disabled' })],
  ];
  it('checks each create and update of each kind, and reports nothing if all was stored', async () => {
    let dropped = '';
    const origin = await loopback.http((request, response) => {
      void bodyOf(request).then(body => json(response, { id: 'x1', ...JSON.parse(body), [dropped]: undefined, token: undefined }));
    });
    const client = loopback.client(origin);
    for (const [field, write] of writes) {
      dropped = '';
      assert.equal((await write(client)).ignored, undefined, field);
      dropped = field;
      assert.deepEqual(
        (await write(client)).ignored?.map(({ path }) => path),
        [field],
      );
    }
  });
});

describe('services of other makers: ignored fields of uploads', () => {
  const loopback = new Loopback();
  afterEach(() => loopback.closeAll());
  const content = {
    byteLength: 1,
    open: async function* () {
      yield Buffer.from('a');
    },
  };
  const file = { name: 'a.txt', content, expiresInSeconds: 3600 };
  const files = [{ path: 's/SKILL.md', content }];

  it('compares the name and expiry of a file, and the title of a skill, with the response', async () => {
    let answer: object = {};
    const client = loopback.client(await loopback.http((request, response) => request.resume().on('end', () => json(response, answer))));
    const lost = async (call: Promise<CallResult<unknown>>) => (await call).ignored?.map(({ path }) => path);
    const upload = async (told: object) => {
      answer = { id: 'file_1', ...told };
      return await lost(client.files.upload(file));
    };
    assert.equal(await upload({ filename: 'a.txt', expires_at: '2026-11-28T00:00:00Z' }), undefined);
    assert.deepEqual(await upload({ filename: 'a.txt', expires_at: null }), ['expires_in_seconds']);
    assert.deepEqual(await upload({ filename: 'upload', expires_at: '2026-11-28T00:00:00Z' }), ['filename']);
    assert.equal(await upload({}), undefined, 'only an id says nothing');
    const create = async (told: object) => {
      answer = { id: 'skill_1', ...told };
      return await lost(client.skills.create({ files, title: 'My skill' }));
    };
    assert.equal(await create({ display_title: 'My skill' }), undefined);
    assert.equal(await create({ display_name: 'My skill' }), undefined);
    assert.deepEqual(await create({ display_title: 'untitled' }), ['display_title']);
  });

  it('reports nothing for uploads that the emulator stores', async () => {
    for (const dialect of ['contract', 'anthropic-2026'] as const) {
      const emulator = await startEmulator({ dialect });
      loopback.onClose(() => emulator.stop());
      const credential = async () => ({ key: emulator.key, origin: emulator.url });
      const client = loopback.client(emulator.url, { credential, dialect: dialects[dialect] });
      const { expiresInSeconds, ...kept } = file;
      assert.equal((await client.files.upload({ ...kept, ...(dialect === 'contract' ? {} : { expiresInSeconds }) })).ignored, undefined);
      const text = Buffer.from('---\nname: s\ndescription: Walks.\n---\nWalk.\n');
      const skill = {
        byteLength: text.length,
        open: async function* () {
          yield text;
        },
      };
      const made = await client.skills.create({ files: [{ path: 's/SKILL.md', content: skill }], title: 'My skill' });
      assert.equal(made.ignored, undefined, dialect);
    }
  });
});

async function bodyOf(request: http.IncomingMessage): Promise<string> {
  return Buffer.concat(await request.toArray()).toString();
}
