import assert from 'node:assert/strict';
import { json, Loopback } from '../loopback';
import { checkCalls } from './calls';

const beta = 'agent-memory-2026-07-22';
const memory = { id: 'mem_1', path: '/a/b.md', content: null, content_size_bytes: 5, content_sha256: 'aa' };

describe('client/resources/memoryStores', () => {
  const loopback = new Loopback();
  afterEach(() => loopback.closeAll());

  it('builds the calls of stores', async () => {
    await checkCalls(loopback, [
      { call: ({ memoryStores }) => memoryStores.create({ name: 'n' }), request: 'POST /v1/memory_stores', body: { name: 'n' }, beta },
      {
        call: ({ memoryStores }) => memoryStores.list({ limit: 3, includeArchived: true }),
        request: 'GET /v1/memory_stores?include_archived=true&limit=3',
        answer: { data: [] },
        result: { items: [], nextCursor: undefined, requestId: 'req_test' },
        beta,
      },
      { call: ({ memoryStores }) => memoryStores.retrieve('s'), request: 'GET /v1/memory_stores/s', beta },
      {
        call: ({ memoryStores }) => memoryStores.update('s', { name: 'm' }),
        request: 'POST /v1/memory_stores/s',
        body: { name: 'm' },
        beta,
      },
      { call: ({ memoryStores }) => memoryStores.archive('s'), request: 'POST /v1/memory_stores/s/archive', beta },
      { call: ({ memoryStores }) => memoryStores.delete('s'), request: 'DELETE /v1/memory_stores/s', beta },
    ]);
  });

  it('builds the calls of memories, with the condition of a change', async () => {
    const precondition = { type: 'content_sha256', content_sha256: 'aa' } as const;
    await checkCalls(loopback, [
      {
        call: ({ memoryStores }) => memoryStores.memories('s/1').create({ path: '/a', content: 'x' }),
        request: 'POST /v1/memory_stores/s%2F1/memories',
        body: { path: '/a', content: 'x' },
        beta,
      },
      {
        call: ({ memoryStores }) => memoryStores.memories('s').list({ pathPrefix: '/a/', depth: 1, view: 'basic', limit: 2 }),
        request: 'GET /v1/memory_stores/s/memories?path_prefix=/a/&depth=1&view=basic&limit=2',
        answer: { data: [{ type: 'memory_prefix', path: '/a/c/' }, memory], prefixes: [{}], next_page: 'p' },
        result: {
          items: [
            { id: '/a/c/', type: 'memory_prefix', path: '/a/c/' },
            { ...memory, type: 'memory' },
          ],
          nextCursor: 'page=p',
          requestId: 'req_test',
        },
        beta,
      },
      {
        call: ({ memoryStores }) => memoryStores.memories('s').retrieve('m', { view: 'full' }),
        request: 'GET /v1/memory_stores/s/memories/m?view=full',
        beta,
      },
      {
        call: ({ memoryStores }) => memoryStores.memories('s').update('m', { content: 'y', precondition }),
        request: 'POST /v1/memory_stores/s/memories/m',
        body: { content: 'y', precondition },
        beta,
      },
      {
        call: ({ memoryStores }) => memoryStores.memories('s').delete('m', { expectedSha256: 'aa' }),
        request: 'DELETE /v1/memory_stores/s/memories/m?expected_content_sha256=aa',
        beta,
      },
      { call: ({ memoryStores }) => memoryStores.memories('s').delete('m'), request: 'DELETE /v1/memory_stores/s/memories/m', beta },
    ]);
  });

  it('builds the calls of versions', async () => {
    const version = { id: 'v', operation: 'modified', created_by: { type: 'session_actor', session_id: 'sesn_1' } };
    await checkCalls(loopback, [
      {
        call: ({ memoryStores }) => memoryStores.versions('s').list({ memoryId: 'm', sessionId: 'x', operation: 'created', view: 'full' }),
        request: 'GET /v1/memory_stores/s/memory_versions?memory_id=m&session_id=x&operation=created&view=full',
        answer: { data: [version] },
        result: { items: [{ ...version, type: 'memory_version' }], nextCursor: undefined, requestId: 'req_test' },
        beta,
      },
      {
        call: ({ memoryStores }) => memoryStores.versions('s').retrieve('v'),
        request: 'GET /v1/memory_stores/s/memory_versions/v',
        beta,
      },
      {
        call: ({ memoryStores }) => memoryStores.versions('s').redact('v'),
        request: 'POST /v1/memory_stores/s/memory_versions/v/redact',
        body: {},
        beta,
      },
    ]);
  });

  it('decodes a row of a wrong shape as far as possible', async () => {
    const rows = [{ id: 'mem_1', path: 3, content_size_bytes: 'many' }, { type: 'memory_prefix' }, { type: 'later', id: 'x', path: '/x' }];
    const origin = await loopback.http((_, response) => json(response, { data: rows }));
    const { items } = await loopback.client(origin).memoryStores.memories('s').list();
    assert.deepEqual(items, [
      { id: 'mem_1', type: 'memory' },
      { id: 'x', type: 'later', path: '/x' },
    ]);
  });
});
