import assert from 'node:assert/strict';
import type { ServiceClient } from '../../../src/client/serviceClient';
import type { StreamedBody } from '../../../src/contract/streamedBody';
import { collect, failureOf, json, Loopback, newBatch } from '../../unit/client/loopback';

type Calls = Readonly<Record<string, (client: ServiceClient) => Promise<unknown>>>;

/** Calls about a resource with the id `a`, keyed by the `type` of its correct response. */
const calls: Readonly<Record<string, Calls>> = {
  message_batch: {
    retrieve: ({ batches }) => batches.retrieve('a'),
    cancel: ({ batches }) => batches.cancel('a'),
    delete: ({ batches }) => batches.delete('a'),
  },
  session: {
    retrieve: ({ sessions }) => sessions.retrieve('a'),
    update: ({ sessions }) => sessions.update('a', {}),
    archive: ({ sessions }) => sessions.archive('a'),
    delete: ({ sessions }) => sessions.delete('a'),
  },
  session_thread: {
    retrieve: ({ sessions }) => sessions.retrieveThread('s', 'a'),
    archive: ({ sessions }) => sessions.archiveThread('s', 'a'),
  },
  file: { retrieve: ({ files }) => files.retrieve('a'), delete: ({ files }) => files.delete('a') },
  agent: {
    retrieve: ({ agents }) => agents.retrieve('a'),
    'retrieve a version': ({ agents }) => agents.retrieve('a', { version: 2 }),
    update: ({ agents }) => agents.update('a', {}),
    archive: ({ agents }) => agents.archive('a'),
  },
  environment: {
    retrieve: ({ environments }) => environments.retrieve('a'),
    update: ({ environments }) => environments.update('a', {}),
    archive: ({ environments }) => environments.archive('a'),
    delete: ({ environments }) => environments.delete('a'),
  },
  work: {
    retrieve: ({ environments }) => environments.work('s').retrieve('a'),
    stop: ({ environments }) => environments.work('s').stop('a'),
  },
  deployment: {
    retrieve: ({ deployments }) => deployments.retrieve('a'),
    update: ({ deployments }) => deployments.update('a', {}),
    archive: ({ deployments }) => deployments.archive('a'),
    pause: ({ deployments }) => deployments.pause('a'),
    unpause: ({ deployments }) => deployments.unpause('a'),
  },
  deployment_run: { retrieve: ({ deployments }) => deployments.runs.retrieve('a') },
  vault: {
    retrieve: ({ vaults }) => vaults.retrieve('a'),
    update: ({ vaults }) => vaults.update('a', {}),
    archive: ({ vaults }) => vaults.archive('a'),
    delete: ({ vaults }) => vaults.delete('a'),
  },
  vault_credential: {
    retrieve: ({ vaults }) => vaults.credentials('s').retrieve('a'),
    update: ({ vaults }) => vaults.credentials('s').update('a', {}),
    archive: ({ vaults }) => vaults.credentials('s').archive('a'),
    delete: ({ vaults }) => vaults.credentials('s').delete('a'),
  },
  memory_store: {
    retrieve: ({ memoryStores }) => memoryStores.retrieve('a'),
    update: ({ memoryStores }) => memoryStores.update('a', {}),
    archive: ({ memoryStores }) => memoryStores.archive('a'),
    delete: ({ memoryStores }) => memoryStores.delete('a'),
  },
  memory: {
    retrieve: ({ memoryStores }) => memoryStores.memories('s').retrieve('a'),
    update: ({ memoryStores }) => memoryStores.memories('s').update('a', {}),
    delete: ({ memoryStores }) => memoryStores.memories('s').delete('a', { expectedSha256: 'ab' }),
  },
  memory_version: {
    retrieve: ({ memoryStores }) => memoryStores.versions('s').retrieve('a'),
    redact: ({ memoryStores }) => memoryStores.versions('s').redact('a'),
  },
  skill: { retrieve: ({ skills }) => skills.retrieve('a'), delete: ({ skills }) => skills.delete('a') },
  skill_version: { retrieve: ({ skills }) => skills.versions('s').retrieve('a') },
  webhook: {
    retrieve: ({ webhooks }) => webhooks.retrieve('a'),
    update: ({ webhooks }) => webhooks.update('a', {}),
    delete: ({ webhooks }) => webhooks.delete('a'),
    'regenerate the secret': ({ webhooks }) => webhooks.regenerateSecret('a'),
  },
};

const lists: Readonly<Record<string, Calls>> = {
  session_id: {
    threads: ({ sessions }) => sessions.listThreads('s'),
    events: ({ sessions }) => sessions.events('s').list(),
    'sent events': ({ sessions }) => sessions.send('s', []),
    'events of a thread': ({ sessions }) => sessions.threadEvents('s', 't').list(),
  },
  id: { versions: ({ agents }) => agents.versions('s') },
  environment_id: { work: ({ environments }) => environments.work('s').list() },
  vault_id: { credentials: ({ vaults }) => vaults.credentials('s').list() },
  memory_store_id: {
    memories: ({ memoryStores }) => memoryStores.memories('s').list(),
    versions: ({ memoryStores }) => memoryStores.versions('s').list(),
  },
  skill_id: { versions: ({ skills }) => skills.versions('s').list() },
};

describe('client against a service that returns another resource', () => {
  const loopback = new Loopback();
  let client: ServiceClient;
  let answer: unknown;
  let requests: number;

  beforeEach(async () => {
    requests = 0;
    const origin = await loopback.http((_, response) => {
      requests++;
      json(response, answer);
    });
    client = loopback.client(origin);
  });
  afterEach(() => loopback.closeAll());

  async function refuses(call: (client: ServiceClient) => Promise<unknown>, given: unknown, name: string, words: RegExp): Promise<void> {
    answer = given;
    requests = 0;
    const { kind, outcome, message } = await failureOf(call(client));
    assert.deepEqual([kind, outcome, requests], ['mismatch', 'unknown', 1], name);
    assert.match(message, words, name);
  }

  for (const [type, named] of Object.entries(calls)) {
    it(`rejects another ${type} than the requested one`, async () => {
      for (const [name, call] of Object.entries(named)) {
        const right = { id: 'a', ...(name === 'retrieve a version' ? { version: 2 } : {}) };
        await refuses(call, { ...right, id: 'z', type }, name, /does not match the request: its id is "z", not "a"\. Check/);
        await refuses(call, { ...right, type: type === 'session' ? 'message_batch' : 'session' }, name, /its type is "/);
        await refuses(call, { type: 'error', error: { type: 'api_error', message: 'x' } }, name, /its type is "error"/);
        answer = { ...right, type: 'of_this_server', signing_secret: 'x' };
        await call(client);
      }
    });
  }

  for (const [field, named] of Object.entries(lists)) {
    it(`rejects a list with rows of another ${field}`, async () => {
      for (const [name, call] of Object.entries(named)) {
        const row = { id: 's', type: 'row' };
        await refuses(call, { data: [row, { ...row, [field]: 'z' }] }, name, new RegExp(`its ${field} is "z", not "s"`));
        // A service may use its own id for the session of an event.
        answer = { data: [row, { ...row, [field]: 's' }, { ...row, [field]: 'cse_7' }], next_page: null };
        await call(client);
      }
    });
  }

  it('accepts a write whose response has no ID', async () => {
    for (answer of [{}, { deleted: true }, { type: 'deleted' }]) {
      assert.equal((await client.batches.delete('a')).data.id, 'a');
      assert.equal((await client.memoryStores.memories('s').delete('a')).data.id, 'a');
    }
  });

  it('rejects events of another session in a stream', async () => {
    const origin = await loopback.http((_, response) => {
      const events = [{ session_id: 's' }, {}, { session_id: 'z' }].map((fields, n) => ({ id: `e${n}`, type: 'agent.message', ...fields }));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(events.map(event => `data: ${JSON.stringify(event)}\n\n`).join(''));
    });
    const stream = await loopback.client(origin).sessions.events('s').stream();
    const seen: unknown[] = [];
    const read = async () => {
      for await (const { id } of stream) {
        seen.push(id);
      }
    };
    const { kind, message } = await failureOf(read());
    assert.deepEqual([seen, kind], [['e0', 'e1'], 'mismatch']);
    assert.match(message, /session_id is "z", not "s"/);
  });

  it('treats another object than a created one as none, and never retries', async () => {
    const upload: StreamedBody = {
      byteLength: 2,
      async *open() {
        yield Buffer.from('{}');
      },
    };
    await refuses(({ sessions }) => sessions.create({ agent: 'a', environment_id: 'e' }), newBatch(), 'session', /type is "message_batch"/);
    await refuses(({ files }) => files.upload({ name: 'f', content: upload }), newBatch(), 'file', /not "file"/);
    await refuses(({ messages }) => messages.create({}), newBatch(), 'message', /not "message"/);
    await refuses(({ deployments }) => deployments.run('a'), { id: 'r', deployment_id: 'z' }, 'run', /deployment_id is "z"/);
    const validation = { type: 'vault_credential_validation', credential_id: 'z', vault_id: 's' };
    await refuses(({ vaults }) => vaults.credentials('s').validate('a'), validation, 'validation', /id is "z", not "a"/);
    const wrong = [{ type: 'session' }, { id: '..' }, { processing_status: 'ended' }, { created_at: '2020-01-01T00:00:00Z' }];
    for (const fields of [...wrong, { request_counts: { processing: 2 } }]) {
      const create = ({ batches }: ServiceClient) => batches.create(upload, { requestCount: 1 });
      await refuses(create, newBatch(fields), JSON.stringify(fields), /is not the new batch: .*Check whether/);
    }
    answer = newBatch({ request_counts: { processing: 1 } });
    assert.equal((await client.batches.create(upload, { requestCount: 1 })).data.id, 'b');
    assert.deepEqual(await collect((await client.batches.results('b')).body).then(parts => parts.length), 1);
  });
});
