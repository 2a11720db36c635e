import assert from 'node:assert/strict';
import type http from 'node:http';
import type { ServiceClient } from '../../../src/client/serviceClient';
import { sendOnce } from '../../../src/features/sessions/live/sessionSender';
import { failureOf, json, Loopback } from '../../unit/client/loopback';
import { fillPlaceholders } from '../../unit/features/requests/fillPlaceholders';

const message = { type: 'user.message', content: [{ type: 'text', text: 'Hello' }] } as const;

describe('services of other makers: writes', () => {
  const loopback = new Loopback();
  afterEach(() => loopback.closeAll());

  /** Starts a service that responds to writes with `write`, and to reads as usual. `asked` lists the requests. */
  async function service(write: (response: http.ServerResponse) => void) {
    const asked: string[] = [];
    const origin = await loopback.http((request, response) => {
      asked.push(`${request.method} ${request.url?.split('?', 1)[0]}`);
      request.resume().on('end', () => {
        if (request.method === 'GET') {
          json(response, { id: 'x1', status: 'idle', processing_status: 'canceling', archived_at: '2026-01-01T00:00:00Z' });
        } else {
          write(response);
        }
      });
    });
    return { asked, client: loopback.client(origin) };
  }
  const sender = ({ sessions }: ServiceClient) => ({
    sessionId: 's',
    sessions: async () => sessions,
    isOld: () => false,
    t: fillPlaceholders,
    pause: async () => {},
  });
  const signal = new AbortController().signal;

  const silent: readonly (readonly [name: string, status: number, type: string | undefined, body: string])[] = [
    ['202 with an empty text/plain body', 202, 'text/plain', ''],
    ['204', 204, undefined, ''],
    ['200 with an empty body said to be HTML', 200, 'text/html; charset=utf-8', ''],
    ['202 with words', 202, 'text/plain', 'Accepted'],
    ['200 with a JSON text', 200, 'application/json', '"ok"'],
    ['201 with a list', 201, 'application/json', '[1]'],
  ];
  for (const [name, status, type, body] of silent) {
    it(`accepts ${name} as done and reads the record afterwards`, async () => {
      const { client, asked } = await service(response => {
        response.writeHead(status, type === undefined ? {} : { 'content-type': type }).end(body);
      });
      assert.deepEqual(await sendOnce(message, sender(client), signal), { name: 'stored', stored: undefined });
      assert.deepEqual(asked, ['POST /v1/sessions/s/events']);

      assert.equal((await client.sessions.archive('x1')).data.archived_at, '2026-01-01T00:00:00Z');
      assert.equal((await client.batches.cancel('x1')).data.processing_status, 'canceling');
      assert.deepEqual(asked.slice(1), [
        'POST /v1/sessions/x1/archive',
        'GET /v1/sessions/x1',
        'POST /v1/messages/batches/x1/cancel',
        'GET /v1/messages/batches/x1',
      ]);
      assert.equal((await client.agents.update('x1', { version: 1 })).data.id, 'x1');
      assert.equal((await client.sessions.delete('x1')).data.id, 'x1');
      assert.equal((await client.batches.delete('x2')).data.id, 'x2');
    });
  }

  it('accepts no HTML page as a response, and no empty response as a created record', async () => {
    const page = await service(response => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>'));
    const send = await failureOf(page.client.sessions.send('s', [message]));
    assert.deepEqual([send.kind, send.outcome], ['not_json', 'unknown']);
    const empty = await service(response => response.writeHead(202).end());
    for (const create of [
      empty.client.sessions.create({ agent: 'a' }),
      empty.client.batches.create({ byteLength: 0, open: async function* () {} }),
    ]) {
      const failure = await failureOf(create);
      assert.deepEqual([failure.kind, failure.outcome], ['not_json', 'unknown']);
    }
  });

  for (const status of [403, 404, 409]) {
    it(`reads ${status} in another JSON shape as a rejection of a message, but not of a create`, async () => {
      const { client, asked } = await service(response => json(response, { detail: 'Session is closed' }, status));
      for (const event of [message, { type: 'user.interrupt' }] as const) {
        const outcome = await sendOnce(event, sender(client), signal);
        assert.equal(outcome.name, 'refused');
        assert.match(outcome.name === 'refused' ? outcome.problem : '', /Session is closed/);
      }
      assert.deepEqual(asked, ['POST /v1/sessions/s/events', 'POST /v1/sessions/s/events']);
      assert.equal((await failureOf(client.sessions.create({ agent: 'a' }))).outcome, 'unknown');
      const batch = client.batches.create({
        byteLength: 2,
        open: async function* () {
          yield Buffer.from('{}');
        },
      });
      assert.equal((await failureOf(batch)).outcome, 'unknown');
    });
  }
});
