import assert from 'node:assert/strict';
import { type DialectName, dialects } from '../../../src/client/dialect';
import type { ServiceClient } from '../../../src/client/serviceClient';
import { ServiceError } from '../../../src/client/transport/errors';
import { listAll } from '../../../src/client/transport/pagination';
import type { StreamedBody } from '../../../src/contract/streamedBody';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { contractClient } from '../../helpers/emulatorClient';

const names: readonly DialectName[] = ['contract', 'anthropic-2023', 'anthropic-2026'];

async function failure(promise: Promise<unknown>): Promise<ServiceError> {
  try {
    await promise;
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    return error;
  }
  throw new Error('it did not fail');
}

for (const name of names) {
  describe(`client: sessions and agents of the emulator that speaks ${name}`, () => {
    let emulator: Emulator;
    let client: ServiceClient;
    let environment: string;
    const model = `${dialects[name].modelPrefix}sonnet-5`;

    before(async () => {
      emulator = await startEmulator({ dialect: name, scenario: { sessionPause: 0 } });
      client = contractClient(emulator, { auth: dialects[name].defaultAuth, dialect: dialects[name] });
      const { data } = await client.environments.create({ name: 'Test' });
      environment = data.id;
    });
    after(async () => {
      await client.close();
      await emulator.stop();
    });

    async function newSession(title: string, agent?: string) {
      const id = agent ?? (await client.agents.create({ name: 'A', model })).data.id;
      return (await client.sessions.create({ agent: id, environment_id: environment, title })).data;
    }
    const say = (text: string) => ({ type: 'user.message', content: [{ type: 'text', text }] });

    it('publishes versions of an agent up to a conflict, lists and archives them', async () => {
      const { data: first } = await client.agents.create(JSON.stringify({ name: 'Agent', model, system: 'one' }));
      assert.equal(first.version, 1);
      const { data: second } = await client.agents.update(first.id, { version: 1, system: 'two' });
      assert.equal(second.version, 2);
      const conflict = await failure(client.agents.update(first.id, { version: 1, system: 'three' }));
      assert.deepEqual([conflict.kind, conflict.outcome], ['conflict', 'refused']);
      const versions = (await client.agents.versions(first.id)).items.map(({ version, system }) => [version, system]);
      assert.deepEqual(versions, [
        [2, 'two'],
        [1, 'one'],
      ]);
      assert.equal((await client.agents.retrieve(first.id, { version: 1 })).data.system, 'one');
      await client.agents.archive(first.id);
      const listed = async (includeArchived: boolean) => {
        const ids: string[] = [];
        for await (const { id } of listAll(options => client.agents.list({ ...options, includeArchived }), { limit: 2 })) {
          ids.push(id);
        }
        return ids.includes(first.id);
      };
      assert.deepEqual([await listed(false), await listed(true)], [false, true]);
      assert.equal((await failure(client.agents.update(first.id, { version: 2, system: 'x' }))).status, 400);
    });

    it('pages through sessions in both orders, filtered', async () => {
      const { data: agent } = await client.agents.create({ name: 'Filtered', model });
      const created: string[] = [];
      for (let count = 0; count < 5; count++) {
        created.push((await newSession(`s${count}`, agent.id)).id);
      }
      const walk = async (order: 'asc' | 'desc') => {
        const ids: string[] = [];
        for await (const { id } of listAll(options => client.sessions.list({ ...options, agentId: agent.id, order }), { limit: 2 })) {
          ids.push(id);
        }
        return ids;
      };
      assert.deepEqual(await walk('asc'), created);
      assert.deepEqual(await walk('desc'), [...created].reverse());
      assert.deepEqual((await client.sessions.list({ agentId: agent.id, statuses: ['running'] })).items, []);
      assert.equal((await failure(client.sessions.list({ statuses: ['sleeping'] }))).kind, 'invalid_request');
    });

    it('sends events, reads them page by page, archives and deletes', async () => {
      const session = await newSession('talk');
      const { data: sent } = await client.sessions.send(session.id, [say('think'), { type: 'user.interrupt' }]);
      assert.deepEqual(
        sent.map(({ type, id }) => [type, typeof id]),
        [
          ['user.message', 'string'],
          ['user.interrupt', 'string'],
        ],
      );
      await emulator.advanceClock(0);
      const log = client.sessions.events(session.id);
      const all = (await log.list({ order: 'asc', limit: 1000 })).items;
      assert.ok(all.length > 3);
      const paged: unknown[] = [];
      for await (const { id } of listAll(options => log.list({ ...options, order: 'asc' }), { limit: 2 })) {
        paged.push(id);
      }
      assert.deepEqual(
        paged,
        all.map(({ id }) => id),
      );
      assert.deepEqual(
        (await log.list({ order: 'desc', limit: 1000 })).items.map(({ id }) => id),
        [...paged].reverse(),
      );
      const messages = (await log.list({ order: 'asc', types: ['user.message'] })).items;
      assert.deepEqual(
        messages.map(({ type }) => type),
        ['user.message'],
      );

      assert.equal((await client.sessions.update(session.id, { title: 'new' })).data.title, 'new');
      const { data: archived } = await client.sessions.archive(session.id);
      assert.ok(archived.archived_at);
      assert.equal((await failure(client.sessions.send(session.id, [say('x')]))).status, 400);
      assert.equal((await client.sessions.delete(session.id)).data.id, session.id);
      const gone = await failure(client.sessions.retrieve(session.id));
      assert.deepEqual([gone.kind, gone.outcome], ['not_found', 'refused']);
    });

    it('reads the threads of a delegating session', async () => {
      const session = await newSession('team');
      await client.sessions.send(session.id, [say('delegate both')]);
      await emulator.advanceClock(0);
      const threads = (await client.sessions.listThreads(session.id)).items;
      assert.equal(threads.length, 3);
      const child = threads.find(({ parent_thread_id: parent }) => parent !== null);
      assert.ok(child !== undefined);
      assert.equal((await client.sessions.retrieveThread(session.id, child.id)).data.id, child.id);
      const events = (await client.sessions.threadEvents(session.id, child.id).list()).items;
      assert.ok(events.some(({ type }) => type === 'agent.thread_message_received'));
      const stream = await client.sessions.threadEvents(session.id, child.id).stream({ previews: ['agent.message'] });
      await stream[Symbol.asyncIterator]().return?.();
      await client.sessions.archiveThread(session.id, child.id);
      assert.ok((await client.sessions.retrieveThread(session.id, child.id)).data.archived_at);
    });

    it('uploads a file and adds it to a session', async () => {
      const bytes = Buffer.from('hello\r\n--world');
      const content: StreamedBody = {
        byteLength: bytes.length,
        async *open() {
          yield bytes;
        },
      };
      const { data: file } = await client.files.upload({ name: 'näme "1".txt', mediaType: 'text/plain', content });
      assert.deepEqual([file.size_bytes, file.mime_type], [bytes.length, 'text/plain']);
      assert.ok((await client.files.list()).items.some(({ id }) => id === file.id));
      const session = await newSession('files');
      const { data: resource } = await client.sessions.addResource(session.id, { type: 'file', file_id: file.id });
      assert.equal(resource.file_id, file.id);
      const [listed] = (await client.sessions.listResources(session.id)).items;
      assert.ok(listed?.id);
      await client.sessions.removeResource(session.id, listed.id);
      assert.deepEqual((await client.sessions.listResources(session.id)).items, []);
      assert.equal((await client.files.delete(file.id)).data.id, file.id);
    });

    it('starts a session with a repository, a memory store, a budget and overrides, and changes them', async () => {
      const type = dialects[name].repositoryType;
      const token = 'CANARY-of-the-repository';
      const cap = (amount: string) => ({ type: 'limit', max_list_cost: { amount, currency: 'USD' } }) as const;
      const { data: agent } = await client.agents.create({ name: 'A', model, system: 'one' });
      const { data: notes } = await client.memoryStores.create({ name: 'Notes' });
      const { data: session } = await client.sessions.create({
        agent: { type: 'agent_with_overrides', id: agent.id, system: 'two' },
        environment_id: environment,
        budget: cap('50'),
        resources: [
          { type, url: 'https://example.com/acme/repo', authorization_token: token, checkout: { type: 'commit', sha: '0123456' } },
          { type: 'memory_store', memory_store_id: notes.id, access: 'read_only' },
        ],
      });
      assert.equal(session.agent?.system, 'two');
      const { id } = session;
      const [repository, store] = (await client.sessions.listResources(id)).items;
      assert.deepEqual([repository?.type, repository?.checkout?.sha, store?.access, store?.id], [type, '0123456', 'read_only', undefined]);
      const { data: rotated } = await client.sessions.rotateToken(id, repository?.id ?? '', 'CANARY-of-later');
      assert.equal(rotated.id, repository?.id);
      assert.deepEqual((await client.sessions.retrieveResource(id, repository?.id ?? '')).data, rotated);
      const stream = await client.sessions.events(id).stream();
      await client.sessions.send(id, [say('file report.md')]);
      for await (const { type: happened } of stream) {
        if (happened === 'session.status_idle') {
          break;
        }
      }
      const [made] = (await client.sessions.listFiles(id)).items;
      assert.deepEqual([made?.filename, made?.scope?.id], ['report.md', id]);
      assert.equal((await client.sessions.update(id, { budget: cap('75') })).data.budget?.max_list_cost?.amount, '75');
      assert.equal((await failure(client.sessions.update(id, { budget: cap('0') }))).status, 400);
      assert.equal((await client.sessions.update(id, { budget: null })).data.budget, null);
      const late = await failure(client.sessions.addResource(id, { type, url: 'https://h/r', authorization_token: token }));
      assert.deepEqual([late.status, late.outcome], [400, 'refused']);
      assert.doesNotMatch(JSON.stringify([session, rotated, late, (await client.sessions.retrieve(id)).data]), /CANARY/);
    });

    it('creates, lists, archives and deletes environments', async () => {
      const { data: made } = await client.environments.create({ name: 'Other', config: { type: 'cloud' } });
      assert.equal((await client.environments.retrieve(made.id)).data.name, 'Other');
      assert.ok((await client.environments.list({ limit: 1 })).nextCursor !== undefined);
      assert.ok((await client.environments.archive(made.id)).data.archived_at);
      assert.equal((await client.environments.delete(made.id)).data.id, made.id);
    });
  });
}
