import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ResourceGroup } from '../../../src/client/dialect';
import type { ServiceClient } from '../../../src/client/serviceClient';
import { searchForBatch } from '../../../src/features/batches/reconciling/searchForBatch';
import type { Submission } from '../../../src/features/ledger';
import { failureOf, json, Loopback } from '../../unit/client/loopback';
import { Recorded } from './recorded';

const body = {
  byteLength: 2,
  open: async function* () {
    yield Buffer.from('{}');
  },
};

describe('services of other makers: unsupported groups', () => {
  const loopback = new Loopback();
  afterEach(() => loopback.closeAll());

  it('reads a recorded 404 of create and list as "not created", and marks the group as unsupported', async () => {
    const served: unknown[] = [];
    const service = await Recorded.serve(loopback, 'D1-openma-create-batch', { onServed: (...told) => served.push(told) });
    const failure = await failureOf(service.client.batches.create(body));
    assert.deepEqual([failure.kind, failure.outcome, failure.status], ['not_found', 'refused', 404]);
    assert.match(failure.message, /does not have messages\/batches/);
    assert.deepEqual(service.asked, ['POST /v1/messages/batches', 'GET /v1/messages/batches']);
    assert.deepEqual(served, [['batches', false]]);
  });

  const creates: readonly (readonly [ResourceGroup, (client: ServiceClient) => Promise<unknown>])[] = [
    ['agents', ({ agents }) => agents.create({ name: 'n' })],
    ['sessions', ({ sessions }) => sessions.create({ agent: 'a' })],
    ['environments', ({ environments }) => environments.create({ name: 'n' })],
    ['deployments', ({ deployments }) => deployments.create({ name: 'n' })],
    ['memoryStores', ({ memoryStores }) => memoryStores.create({ name: 'n' })],
    ['vaults', ({ vaults }) => vaults.create({ display_name: 'n' })],
    ['webhooks', ({ webhooks }) => webhooks.create({ name: 'n' })],
    ['skills', ({ skills }) => skills.create({ files: [] })],
  ];
  for (const [group, create] of creates) {
    it(`says the same of ${group}, and decides nothing from an existing collection`, async () => {
      let isThere = false;
      const origin = await loopback.http((request, response) => {
        request.resume().on('end', () => {
          json(
            response,
            isThere && request.method === 'GET' ? { data: [] } : { error: 'not found' },
            isThere && request.method === 'GET' ? 200 : 404,
          );
        });
      });
      const served: unknown[] = [];
      const client = loopback.client(origin, { onServed: (...told) => served.push(told) });
      assert.equal((await failureOf(create(client))).outcome, 'refused');
      isThere = true;
      assert.equal((await failureOf(create(client))).outcome, 'unknown');
      assert.deepEqual(served, [
        [group, false],
        [group, true],
      ]);
    });
  }

  it('stops the search for a batch if there is no list of batches', async () => {
    const { client } = await Recorded.serve(loopback, 'D1-openma-create-batch');
    const folder = await mkdtemp(path.join(tmpdir(), 'looks-'));
    loopback.onClose(() => rm(folder, { recursive: true }));
    let submission = {
      ...{
        id: 's',
        state: 'unknown',
        origin: new URL(client.baseUrl).origin,
        requestCount: 6,
        connection: 'Lab',
        source: 'file:///a.jsonl',
      },
      startedAt: '2026-11-28T20:06:50.024Z',
    } as Submission;
    const registry = {
      all: () => [submission],
      find: () => submission,
      findByBatch: () => undefined,
      reload: async () => {},
      folder: () => folder,
      updateIf: async (_: string, change: Partial<Submission>) => {
        submission = { ...submission, ...change };
        return submission;
      },
    };
    const { found } = await searchForBatch(registry, submission, { client, isEmulator: false });
    assert.deepEqual([found?.reachedBack, submission.state, submission.search?.looks], [false, 'unknown', 1]);
  });
});
