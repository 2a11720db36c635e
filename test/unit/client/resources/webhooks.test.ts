import assert from 'node:assert/strict';
import { json, Loopback } from '../loopback';
import { checkCalls } from './calls';

const beta = 'webhooks-2026-03-01';
const secret = 'whsec_Q0FOQVJZ';

describe('client/resources/webhooks', () => {
  const loopback = new Loopback();
  afterEach(() => loopback.closeAll());

  it('builds the calls of endpoints, and returns a secret apart from the endpoint', async () => {
    const body = { url: 'https://example.com', name: 'n', enabled_events: ['vault.created'] };
    await checkCalls(loopback, [
      {
        call: ({ webhooks }) => webhooks.create(body),
        ...{ request: 'POST /v1/webhooks', body, beta, answer: { id: 'w', signing_secret: secret, later: 1 } },
        result: { data: { webhook: { id: 'w', type: 'webhook', later: 1 }, secret }, requestId: 'req_test' },
      },
      {
        call: ({ webhooks }) => webhooks.list(),
        ...{ request: 'GET /v1/webhooks', beta, answer: { data: [{ id: 'w', signing_secret: secret }], next_page: null } },
        result: { items: [{ id: 'w', type: 'webhook' }], nextCursor: undefined, requestId: 'req_test' },
      },
      {
        call: ({ webhooks }) => webhooks.retrieve('w'),
        ...{ request: 'GET /v1/webhooks/w', beta, answer: { id: 'w', signing_secret: secret } },
        result: { data: { id: 'w', type: 'webhook' }, requestId: 'req_test' },
      },
      { call: ({ webhooks }) => webhooks.update('w', { name: 'm' }), request: 'POST /v1/webhooks/w', body: { name: 'm' }, beta },
      { call: ({ webhooks }) => webhooks.delete('w'), request: 'DELETE /v1/webhooks/w', beta },
      {
        call: ({ webhooks }) => webhooks.regenerateSecret('w/1'),
        ...{ request: 'POST /v1/webhooks/w%2F1/regenerate_signing_secret', body: {}, beta, answer: { signing_secret: secret } },
        result: { data: secret, requestId: 'req_test' },
      },
    ]);
  });

  it('has no secret if the service returns none', async () => {
    const origin = await loopback.http((_, response) => json(response, { id: 'w' }));
    assert.equal((await loopback.client(origin).webhooks.create({})).data.secret, undefined);
  });
});
