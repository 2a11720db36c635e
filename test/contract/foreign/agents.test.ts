import assert from 'node:assert/strict';
import { toListingState } from '../../../src/common/lists/pagedList';
import { BatchStore } from '../../../src/features/batches/batchStore';
import { agents as agentKind, agentVersions } from '../../../src/features/resources/kinds/agents';
import { startSession } from '../../../src/features/sessions/starting/createSessions';
import { MemoryRegistry } from '../../helpers/memoryRegistry';
import { json, Loopback, readBody } from '../../unit/client/loopback';

describe('services of other makers: agents and missing features', () => {
  const loopback = new Loopback();
  afterEach(() => loopback.closeAll());

  /**
   * Starts a service without models, batches, files and versions. The service ignores pinned versions and the filter for archived agents.
   */
  async function service() {
    const created: string[] = [];
    const agents = [
      { id: 'agent_1', name: 'Now', version: 5, model: 'claude-x' },
      { id: 'agent_2', name: 'Once', version: 1, archived_at: '2026-01-01T00:00:00Z' },
    ];
    const origin = await loopback.http(async (request, response) => {
      const body = await readBody(request);
      switch (`${request.method} ${request.url?.split('?', 1)[0]}`) {
        case 'GET /v1/agents':
          return json(response, { data: agents, has_more: false });
        case 'POST /v1/sessions':
          created.push(body);
          return json(response, { id: 'sesn_1', status: 'idle', agent: agents[0] }, 201);
        default:
          return json(response, { detail: 'Not Found' }, 404);
      }
    });
    return { client: loopback.client(origin), created };
  }

  it('hides archived agents and reports that versions and batches are missing', async () => {
    const { client } = await service();
    const { items } = await agentKind.calls(client, undefined).list({ limit: 20 });
    assert.deepEqual(
      items.map(({ id }) => id),
      ['agent_1'],
    );
    const versions = agentVersions.calls(client, { connection: 'A', kind: 'agent', id: 'agent_1' });
    await assert.rejects(versions.list(), error => toListingState(error) === 'unsupported');

    const batches = new BatchStore(new MemoryRegistry());
    batches.reset('A');
    await client.batches.list().then(
      page => batches.acceptFirstPage('A', page),
      error => batches.acceptFailure('A', error),
    );
    assert.equal(batches.state, 'unsupported');
  });

  it("reports that a pinned version was ignored, and starts without files if they aren't supported", async () => {
    const { client, created } = await service();
    const file = { key: 'k', name: 'a "b".txt', relativePath: 'a.txt', byteLength: 1 };
    const open = async () => ({
      byteLength: 1,
      async *open() {
        yield Buffer.from('x');
      },
    });
    const started = await startSession(
      client,
      { agent: { type: 'agent', id: 'agent_1', version: 3 } },
      { files: [{ ...file, open }], folder: '' },
      { signal: new AbortController().signal, report: () => {}, uploaded: new Map() },
    );
    assert.deepEqual([started.ignored, started.tookNoFiles], [[{ path: 'agent.version', stored: 5, isMoney: false }], true]);
    assert.deepEqual(
      created.map(text => JSON.parse(text)),
      [{ agent: { type: 'agent', id: 'agent_1', version: 3 } }],
    );
  });
});
