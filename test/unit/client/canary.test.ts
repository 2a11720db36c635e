import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { inspect } from 'node:util';
import { probeService } from '../../../src/client/probe';
import { canary, collect, failureOf, instantClock, Loopback } from './loopback';

/** Services that return the key in every part of a response. The client must never pass on the key. */
describe('client: the key never leaks', () => {
  const loopback = new Loopback();
  afterEach(() => loopback.closeAll());

  const answer =
    (status: number, headers: Record<string, string>, body: string): RequestListener =>
    (_, response) =>
      response.writeHead(status, headers).end(body);
  const escaped = canary.replace('-', '\\u002d');
  const services: readonly (readonly [name: string, handler: RequestListener])[] = [
    [
      'an error message',
      answer(
        401,
        { 'request-id': `req-${canary}` },
        `{"type":"error","error":{"type":"${canary}","message":"bad key ${canary}"},"request_id":"${canary}"}`,
      ),
    ],
    ['an escaped error message', answer(401, {}, `{"error":{"message":"bad key ${escaped}"}}`)],
    ['a long error message', answer(400, {}, `{"error":"${'x'.repeat(480)}${canary}"}`)],
    ['plain text', answer(500, {}, `cannot use ${canary}`)],
    ['a page', answer(502, { 'content-type': `text/html; k=${canary}` }, `<html><title>${canary}</title>`)],
    ['a redirect', answer(302, { location: `https://${canary}.test/${canary}?k=${canary}` }, '')],
    ['a broken redirect', answer(302, { location: `http://[${canary}` }, '')],
    ['broken JSON', answer(200, { 'content-type': `application/json; ${canary}` }, `{"a":${canary}`)],
    ['JSON of another shape', answer(200, {}, `{"${canary}":"${canary}"}`)],
    ['an unknown encoding', answer(200, { 'content-encoding': canary }, '')],
    ['a head that is no HTTP', (_, response) => void response.socket?.end(`HTTP/9.9 ${canary}\r\n${canary}\r\n\r\n`)],
    ['a head that breaks off', (_, response) => void response.socket?.end(`HTTP/1.1 200 OK\r\nx: ${canary}`)],
    ['a body that breaks off', (_, response) => void response.socket?.end(`HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n${canary}`)],
    ['a broken chunk', (_, response) => void response.socket?.end(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${canary}\r\n`)],
    [
      'a stream with an error',
      answer(200, { 'content-type': 'text/event-stream' }, `data: {"type":"error","error":{"type":"${canary}","message":"${canary}"}}\n\n`),
    ],
    ['a stream with broken JSON', answer(200, { 'content-type': 'text/event-stream' }, `data: {"${canary}\n\n`)],
  ];

  /** Returns every part of an error that could be logged or shown: its own fields, its stack and the chain of its causes. */
  function surface(error: unknown): string {
    return `${inspect(error, { depth: 10, showHidden: true })} ${error instanceof Error ? `${error.stack} ${error.message} ${surface(error.cause)}` : ''}`;
  }

  for (const [name, handler] of services) {
    it(`in ${name}`, async () => {
      const origin = await loopback.http(handler);
      const lines: string[] = [];
      const add = (line: string) => lines.push(line);
      for (const auth of ['x-api-key', 'bearer'] as const) {
        const client = loopback.client(origin, { auth, log: { debug: add, info: add, warn: add } });
        const body = {
          byteLength: 2,
          open: async function* () {
            yield Buffer.from('{}');
          },
        };
        const calls: readonly (() => Promise<unknown>)[] = [
          () => client.models.list(),
          () => client.batches.list(),
          () => client.batches.retrieve('b'),
          () => client.batches.create(body),
          async () => collect((await client.batches.results('b')).body),
          () => client.messages.create({}),
          async () => collect(await client.messages.stream({})),
        ];
        let failed = 0;
        for (const call of calls) {
          try {
            await call();
          } catch (error) {
            failed++;
            assert.equal(surface(error).includes(canary), false, surface(error));
          }
        }
        assert.ok(failed > 0);
      }
      const probed = await probeService({ baseUrl: origin, key: canary, log: { debug: add, info: add, warn: add }, clock: instantClock() });
      assert.equal(surface(probed).includes(canary), false);
      assert.ok(lines.length > 0);
      assert.equal(lines.join('\n').includes(canary), false, lines.join('\n'));
    });
  }

  it('partly, in Base64 or in hex', async () => {
    const bytes = Buffer.from(canary);
    const echoes = [canary.slice(0, 16), canary.slice(-16), bytes.toString('base64'), bytes.toString('hex'), `\u3164${canary}`];
    for (const echo of echoes) {
      const origin = await loopback.http(answer(401, {}, JSON.stringify({ error: { type: 'x', message: `bad key ${echo}.\u3164` } })));
      const error = await failureOf(loopback.client(origin).models.list());
      assert.equal(surface(error).includes(echo), false, error.message);
      assert.match(error.message, /bad key (?:\\u\{3164\})?\[key\](?:.{0,2}=*)\.\\u\{3164\}/);
    }
  });
});
