import assert from 'node:assert/strict';
import { json, Loopback } from '../loopback';
import { checkCalls } from './calls';

describe('client/resources/environments', () => {
  const loopback = new Loopback();
  afterEach(() => loopback.closeAll());

  it('builds the calls of environments', async () => {
    await checkCalls(loopback, [
      {
        call: ({ environments }) => environments.create({ name: 'n', config: { type: 'cloud' } }),
        request: 'POST /v1/environments',
        body: { name: 'n', config: { type: 'cloud' } },
      },
      {
        call: ({ environments }) => environments.list({ limit: 3, includeArchived: false }),
        request: 'GET /v1/environments?include_archived=false&limit=3',
        answer: { data: [] },
        result: { items: [], nextCursor: undefined, requestId: 'req_test' },
      },
      { call: ({ environments }) => environments.retrieve('e'), request: 'GET /v1/environments/e' },
      { call: ({ environments }) => environments.update('e', { name: 'm' }), request: 'POST /v1/environments/e', body: { name: 'm' } },
      { call: ({ environments }) => environments.archive('e'), request: 'POST /v1/environments/e/archive' },
      { call: ({ environments }) => environments.delete('e'), request: 'DELETE /v1/environments/e' },
    ]);
  });

  it("builds the calls of work, and leaves out an item's secret", async () => {
    const item = { id: 'w', state: 'queued', data: { type: 'session', id: 's' }, secret: 'canary-secret' };
    const seen = { id: 'w', type: 'work', state: 'queued', data: { type: 'session', id: 's' } };
    await checkCalls(loopback, [
      {
        call: ({ environments }) => environments.work('e/1').list({ limit: 2 }),
        request: 'GET /v1/environments/e%2F1/work?limit=2',
        answer: { data: [item], next_page: null },
        result: { items: [seen], nextCursor: undefined, requestId: 'req_test' },
      },
      {
        call: ({ environments }) => environments.work('e').retrieve('w'),
        request: 'GET /v1/environments/e/work/w',
        answer: item,
        result: { data: seen, requestId: 'req_test' },
      },
      {
        call: ({ environments }) => environments.work('e').stats(),
        request: 'GET /v1/environments/e/work/stats',
        answer: { depth: 2, pending: 1, workers_polling: null },
        result: { data: { type: 'work_queue_stats', depth: 2, pending: 1, workers_polling: null }, requestId: 'req_test' },
      },
      {
        call: ({ environments }) => environments.work('e').stop('w', { force: true }),
        request: 'POST /v1/environments/e/work/w/stop',
        body: { force: true },
        answer: item,
      },
    ]);
  });

  it('retrieves an item whose stop returned nothing', async () => {
    const asked: string[] = [];
    const origin = await loopback.http((request, response) => {
      asked.push(`${request.method} ${request.url?.split('?')[0]}`);
      if (request.method === 'POST') {
        response.writeHead(204).end();
      } else {
        json(response, { id: 'w', state: 'stopping' });
      }
    });
    const { data } = await loopback.client(origin).environments.work('e').stop('w');
    assert.deepEqual([data.state, asked], ['stopping', ['POST /v1/environments/e/work/w/stop', 'GET /v1/environments/e/work/w']]);
  });
});
