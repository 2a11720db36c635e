import assert from 'node:assert/strict';
import { failureOf, json, Loopback, readBody } from '../loopback';
import { checkCalls } from './calls';

describe('client/resources/agents', () => {
  const loopback = new Loopback();
  afterEach(() => loopback.closeAll());
  const page = { data: [{ id: 'a', version: 2, model: 'm' }], next_page: null };

  it('builds the calls of agents', async () => {
    await checkCalls(loopback, [
      { call: ({ agents }) => agents.create({ name: 'n', model: 'm' }), request: 'POST /v1/agents', body: { name: 'n', model: 'm' } },
      {
        call: ({ agents }) => agents.list({ limit: 3, includeArchived: true }),
        request: 'GET /v1/agents?include_archived=true&limit=3',
        answer: page,
        result: { items: [{ id: 'a', type: 'agent', version: 2, model: 'm' }], nextCursor: undefined, requestId: 'req_test' },
      },
      { call: ({ agents }) => agents.retrieve('a'), request: 'GET /v1/agents/a' },
      { call: ({ agents }) => agents.retrieve('a', { version: 4 }), request: 'GET /v1/agents/a?version=4' },
      {
        call: ({ agents }) => agents.update('a', { version: 4, name: 'x' }),
        request: 'POST /v1/agents/a',
        body: { version: 4, name: 'x' },
      },
      { call: ({ agents }) => agents.archive('a'), request: 'POST /v1/agents/a/archive' },
      { call: ({ agents }) => agents.versions('a', { cursor: 'page=x' }), request: 'GET /v1/agents/a/versions?page=x', answer: page },
    ]);
  });

  it('keeps every key of metadata', async () => {
    const origin = await loopback.http((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end('{"data":[{"id":"a","metadata":{"__proto__":"kept","constructor":"too","x":1}}]}');
    });
    const { items } = await loopback.client(origin).agents.list({});
    assert.equal(JSON.stringify(items[0]?.metadata), '{"__proto__":"kept","constructor":"too","x":1}');
  });

  it('sends a text byte for byte', async () => {
    const bodies: string[] = [];
    const origin = await loopback.http(async (request, response) => {
      bodies.push(await readBody(request));
      json(response, { id: 'a' });
    });
    const text = '{ "name" : "n", "big":12345678901234567890 }';
    await loopback.client(origin).agents.create(text);
    assert.deepEqual(bodies, [text]);
  });

  it('reports a version conflict once, and never resends the update', async () => {
    let requests = 0;
    const origin = await loopback.http((_, response) => {
      requests++;
      json(response, { type: 'error', error: { type: 'conflict_error', message: 'version 3 is not the latest' } }, 409);
    });
    const error = await failureOf(loopback.client(origin).agents.update('a', { version: 3 }));
    assert.deepEqual([error.kind, error.outcome, error.status, requests], ['conflict', 'refused', 409, 1]);
  });
});
