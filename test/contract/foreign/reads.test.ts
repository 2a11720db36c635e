import assert from 'node:assert/strict';
import { MemoryAccess } from '../../../src/features/resources/memories/memoryAccess';
import { json, Loopback } from '../../unit/client/loopback';
import { exchangesOf, Recorded } from './recorded';

describe('services of other makers: reads', () => {
  const loopback = new Loopback();
  afterEach(() => loopback.closeAll());

  /** Starts a service that responds to each path with the result of `answer`. */
  async function serving(answer: (path: string, query: URLSearchParams, method: string) => readonly [unknown, number?] | undefined) {
    const asked: string[] = [];
    const origin = await loopback.http((request, response) => {
      const url = new URL(request.url ?? '', 'http://x');
      asked.push(`${request.method} ${url.pathname}${url.searchParams.has('order') ? ' ordered' : ''}`);
      const [value, status] = answer(url.pathname, url.searchParams, request.method ?? '') ?? [{ error: 'not found' }, 404];
      request.resume().on('end', () => json(response, value, status));
    });
    return { client: loopback.client(origin), asked };
  }

  it('shows the listed definition of an old agent version if the latest is returned, as recorded', async () => {
    const [exchange] = exchangesOf('N1-openma-agent-version');
    const latest = JSON.parse(exchange?.res ?? '');
    const { client } = await serving(path => [
      path.endsWith('/versions') ? { data: [latest, { ...latest, version: 1, system: 'Be brief.' }] } : latest,
    ]);
    const { data } = await client.agents.retrieve(latest.id, { version: 1 });
    assert.deepEqual([data.version, data.system], [1, 'Be brief.']);
    assert.equal((await client.agents.retrieve(latest.id, { version: 2 })).data.system, 'Be briefer.');
    assert.equal((await client.agents.retrieve(latest.id, { version: 7 })).data.version, 2);
  });

  it("reads the events of a thread without an order that was rejected, as recorded, and doesn't ask for it again", async () => {
    const [refused] = exchangesOf('N3-o2-thread-order');
    const { client, asked } = await serving((_, query) =>
      query.has('order') ? [JSON.parse(refused?.res ?? ''), 400] : [{ data: [{ id: 'e1', type: 'x' }] }],
    );
    const log = client.sessions.threadEvents('s', 't');
    assert.equal((await log.list({ order: 'asc', limit: 5 })).items.length, 1);
    assert.equal((await log.list({ order: 'desc', limit: 5 })).items.length, 1);
    const path = 'GET /v1/sessions/s/threads/t/events';
    assert.deepEqual(asked, [`${path} ordered`, path, path]);
  });

  it('recognizes the main thread of a session by its ID if no parent is given', async () => {
    const { client } = await serving(path => [
      path.endsWith('/threads') ? { data: [{ id: 'sthr_7' }, { id: 'sthr_8' }] } : { id: 'sthr_7' },
    ]);
    const { items } = await client.sessions.listThreads('sesn_7');
    assert.deepEqual(
      items.map(thread => thread.parent_thread_id),
      [null, undefined],
    );
    assert.equal((await client.sessions.retrieveThread('sesn_7', 'sthr_7')).data.parent_thread_id, null);
  });

  it('derives folders from a list of memories that is deeper than requested', async () => {
    const memories = ['/a.md', '/docs/b.md', '/docs/deep/c.md', '/docs/'].map((path, index) => ({
      ...{ path, id: path.endsWith('/') ? path : `mem_${index}` },
      type: path.endsWith('/') ? 'memory_prefix' : 'memory',
    }));
    const { client } = await serving(() => [{ data: memories }]);
    const paths = async (pathPrefix: string, depth: 0 | 1) =>
      (await client.memoryStores.memories('m').list({ pathPrefix, depth })).items.map(({ type, path }) => `${type} ${path}`);
    assert.deepEqual(await paths('/', 1), ['memory /a.md', 'memory_prefix /docs/']);
    assert.ok((await paths('/docs/', 1)).includes('memory_prefix /docs/deep/'));
    assert.equal((await paths('/', 0)).length, 4);
  });

  it("recognizes an existing memory that can't be changed, as recorded", async () => {
    const recorded = await Recorded.serve(loopback, 'N2-openma-memory-update');
    const path = new URL(exchangesOf('N2-openma-memory-update')[0]?.path ?? '', 'http://x').pathname;
    const [, storeId = '', id = ''] = /memory_stores\/([^/]+)\/memories\/([^/?]+)/.exec(path) ?? [];
    const memory = { id, type: 'memory', path: '/notes.md', content: 'first\n', content_sha256: 'b640' };
    const { client } = await serving((at, _, method) => (method === 'GET' ? [at.endsWith(id) ? memory : { data: [memory] }] : undefined));
    const place = { connection: 'Lab', storeId, path: '/notes.md' };
    const all = { create: true, overwrite: true };
    assert.deepEqual(await new MemoryAccess().write(client, place, 'key', 'second\n', all), { outcome: 'unchangeable' });
    await assert.rejects(recorded.client.memoryStores.memories(storeId).update(id, { content: 'second\n' }), { status: 404 });
  });
});
