import assert from 'node:assert/strict';
import type { SessionParams } from '../../../../src/client/resources/sessions';
import { collect, failureOf, json, Loopback } from '../loopback';
import { checkCalls } from './calls';

const everyPart = {
  resources: [
    { type: 'file', file_id: 'f', mount_path: '/in/f' },
    { type: 'git_repository', url: 'https://h/r', authorization_token: 't', checkout: { type: 'commit', sha: '0123456' } },
    { type: 'memory_store', memory_store_id: 'm', access: 'read_only', instructions: 'Look first.' },
  ],
  vault_ids: ['v'],
  budget: { type: 'limit', max_list_cost: { amount: '250', currency: 'USD' } },
} as const satisfies Partial<SessionParams>;

describe('client/resources/sessions', () => {
  const loopback = new Loopback();
  afterEach(() => loopback.closeAll());
  const page = { data: [{ id: 'a', type: 'x' }], next_page: 'p 2=' };
  const asPage = { items: [{ id: 'a', type: 'x' }], nextCursor: 'page=p 2=', requestId: 'req_test' };

  it('builds the calls of sessions', async () => {
    await checkCalls(loopback, [
      {
        call: ({ sessions }) => sessions.create({ agent: 'agent_1', environment_id: 'env_1' }),
        request: 'POST /v1/sessions',
        body: { agent: 'agent_1', environment_id: 'env_1' },
        answer: { id: 's', new_field: [1] },
        result: { data: { id: 's', type: 'session', new_field: [1] }, requestId: 'req_test' },
      },
      {
        call: ({ sessions }) => sessions.create({ agent: 'a', environment_id: 'e', ...everyPart }),
        request: 'POST /v1/sessions',
        body: { agent: 'a', environment_id: 'e', ...everyPart },
      },
      {
        call: ({ sessions }) => sessions.update('s', { budget: null }),
        request: 'POST /v1/sessions/s',
        body: { budget: null },
      },
      { call: ({ sessions }) => sessions.list(), request: 'GET /v1/sessions', answer: page, result: asPage },
      {
        call: ({ sessions }) =>
          sessions.list({
            limit: 2,
            cursor: 'page=p 2=',
            agentId: 'agent_1',
            agentVersion: 3,
            statuses: ['idle', 'running'],
            createdSince: '2026-01-01T00:00:00Z',
            includeArchived: true,
            order: 'asc',
          }),
        request:
          'GET /v1/sessions?agent_id=agent_1&agent_version=3&statuses[]=idle&statuses[]=running&created_at[gte]=2026-01-01T00:00:00Z' +
          '&include_archived=true&order=asc&limit=2&page=p 2=',
        answer: page,
      },
      { call: ({ sessions }) => sessions.retrieve('a/b'), request: 'GET /v1/sessions/a%2Fb' },
      { call: ({ sessions }) => sessions.update('s', { title: null }), request: 'POST /v1/sessions/s', body: { title: null } },
      { call: ({ sessions }) => sessions.archive('s'), request: 'POST /v1/sessions/s/archive' },
      {
        call: ({ sessions }) => sessions.delete('s'),
        request: 'DELETE /v1/sessions/s',
        answer: { id: 's', type: 'session_deleted' },
        result: { data: { id: 's', type: 'session_deleted' }, requestId: 'req_test' },
      },
    ]);
  });

  it('builds the calls of events, threads and resources', async () => {
    const stored = [{ type: 'user.message', id: 'e1', processed_at: null, extra: true }];
    await checkCalls(loopback, [
      {
        call: ({ sessions }) => sessions.send('s', [{ type: 'user.message' }, { type: 'user.interrupt' }]),
        request: 'POST /v1/sessions/s/events',
        body: { events: [{ type: 'user.message' }, { type: 'user.interrupt' }] },
        answer: { data: stored },
        result: { data: stored, requestId: 'req_test' },
      },
      { call: ({ sessions }) => sessions.send('s', []), request: 'POST /v1/sessions/s/events', body: { events: [] }, answer: {} },
      {
        call: ({ sessions }) =>
          sessions
            .events('s')
            .list({ order: 'desc', types: ['a', 'b'], createdSince: '2026-01-01T00:00:00Z', limit: 1000, cursor: 'after_id=e1' }),
        request: 'GET /v1/sessions/s/events?order=desc&types[]=a&types[]=b&created_at[gte]=2026-01-01T00:00:00Z&limit=1000&after_id=e1',
        answer: page,
        result: asPage,
      },
      {
        call: ({ sessions }) => sessions.threadEvents('s', 't').list(),
        request: 'GET /v1/sessions/s/threads/t/events',
        answer: page,
        result: asPage,
      },
      { call: ({ sessions }) => sessions.listThreads('s', { limit: 5 }), request: 'GET /v1/sessions/s/threads?limit=5', answer: page },
      { call: ({ sessions }) => sessions.retrieveThread('s', 't'), request: 'GET /v1/sessions/s/threads/t' },
      { call: ({ sessions }) => sessions.archiveThread('s', 't'), request: 'POST /v1/sessions/s/threads/t/archive' },
      { call: ({ sessions }) => sessions.listResources('s'), request: 'GET /v1/sessions/s/resources', answer: page },
      {
        call: ({ sessions }) => sessions.addResource('s', { type: 'file', file_id: 'f' }),
        request: 'POST /v1/sessions/s/resources',
        body: { type: 'file', file_id: 'f' },
      },
      { call: ({ sessions }) => sessions.retrieveResource('s', 'r'), request: 'GET /v1/sessions/s/resources/r' },
      {
        call: ({ sessions }) => sessions.rotateToken('s', 'r/1', 'new-token'),
        request: 'POST /v1/sessions/s/resources/r%2F1',
        body: { authorization_token: 'new-token' },
      },
      { call: ({ sessions }) => sessions.removeResource('s', 'r'), request: 'DELETE /v1/sessions/s/resources/r' },
    ]);
  });

  it("finds a session's files among the service's", async () => {
    await checkCalls(loopback, [
      {
        call: ({ sessions }) => sessions.listFiles('s/1', { limit: 2 }),
        request: 'GET /v1/files?scope_id=s/1&limit=2',
        beta: 'files-api-2025-04-14',
        answer: { data: [{ id: 'file_1' }], has_more: false, last_id: 'file_1' },
        result: { items: [{ id: 'file_1', type: 'file' }], nextCursor: undefined, requestId: 'req_test' },
      },
    ]);
  });

  it("removes a repository's token from every response", async () => {
    const token = 'CANARY-of-this-repository';
    const origin = await loopback.http((_, response) =>
      json(
        response,
        { type: 'error', error: { type: 'invalid_request_error', message: `authorization_token: ${token} is no token` } },
        400,
      ),
    );
    const { sessions } = loopback.client(origin);
    const repository = { type: 'git_repository', url: 'https://h/r', authorization_token: token } as const;
    for (const call of [
      sessions.create({ agent: 'a', resources: [repository] }),
      sessions.addResource('s', repository),
      sessions.rotateToken('s', 'r', token),
    ]) {
      const { message, serviceMessage } = await failureOf(call);
      assert.doesNotMatch(message, /CANARY/);
      assert.equal(serviceMessage, 'authorization_token: [secret] is no token');
    }
  });

  it('attaches to streams by their irregular paths, without retries', async () => {
    const seen: unknown[] = [];
    let status = 200;
    const origin = await loopback.http((request, response) => {
      seen.push([decodeURIComponent(request.url ?? ''), request.headers.accept, request.headers['last-event-id']]);
      response.writeHead(status, { 'content-type': 'text/event-stream', 'request-id': 'req_s' }).end('data: {"type":"a","id":"1"}\n\n');
    });
    const { sessions } = loopback.client(origin);
    const stream = await sessions.events('s').stream({ previews: ['agent.message', 'agent.thinking'], lastEventId: '7' });
    assert.deepEqual([await collect(stream), stream.requestId, stream.status], [[{ type: 'a', id: '1' }], 'req_s', 200]);
    await collect(await sessions.threadEvents('s', 't').stream());
    status = 503;
    await failureOf(sessions.events('s').stream());
    assert.deepEqual(seen, [
      ['/v1/sessions/s/events/stream?event_deltas[]=agent.message&event_deltas[]=agent.thinking&beta=true', 'text/event-stream', '7'],
      ['/v1/sessions/s/threads/t/stream?beta=true', 'text/event-stream', undefined],
      ['/v1/sessions/s/events/stream?beta=true', 'text/event-stream', undefined],
    ]);
  });

  it('rejects IDs that would name another resource', async () => {
    const { sessions } = loopback.client('http://127.0.0.1:9');
    for (const id of ['', '.', '..']) {
      assert.equal((await failureOf(sessions.retrieve(id))).outcome, 'not_sent');
      assert.throws(() => sessions.threadEvents('s', id));
    }
  });
});
