import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { CallRecord } from '../../../../src/client/clientOptions';
import { dialects } from '../../../../src/client/dialect';
import { canary, failureOf, instantClock, json, Loopback } from '../loopback';

describe('client/transport/transport', () => {
  const loopback = new Loopback();
  afterEach(() => loopback.closeAll());

  interface Seen {
    readonly url: string | undefined;
    readonly headers: IncomingHttpHeaders;
  }

  async function recorder() {
    const seen: Seen[] = [];
    const origin = await loopback.http((request, response) => {
      seen.push({ url: request.url, headers: request.headers });
      json(response, { data: [] });
    });
    return { origin, seen };
  }

  it('sends the key in X-Api-Key alone, or as Bearer alone', async () => {
    const { origin, seen } = await recorder();
    await loopback.client(origin, { auth: 'x-api-key' }).models.list();
    await loopback.client(origin, { auth: 'bearer' }).models.list();
    assert.deepEqual(
      seen.map(({ headers }) => [headers['x-api-key'], headers.authorization]),
      [
        [canary, undefined],
        [undefined, `Bearer ${canary}`],
      ],
    );
  });

  it('follows the dialect: version, beta header, beta query, extra betas once each', async () => {
    const { origin, seen } = await recorder();
    await loopback.client(origin, { extraBetas: ['x-1', 'message-batches-2024-09-24', ' x-1 '] }).batches.list();
    await loopback.client(origin, { dialect: dialects['anthropic-2023'] }).batches.list({ limit: 5 });
    await loopback.client(origin, { dialect: dialects['anthropic-2026'] }).batches.list();
    await loopback.client(origin).models.list();
    assert.deepEqual(
      seen.map(({ url }) => url),
      ['/v1/messages/batches?beta=true', '/v1/messages/batches?limit=5&beta=true', '/v1/messages/batches', '/v1/models'],
    );
    assert.equal(seen[0]?.headers['vendor-beta'], 'message-batches-2024-09-24,x-1');
    assert.equal(seen[0]?.headers['vendor-version'], '2023-06-01');
    assert.equal(seen[1]?.headers['anthropic-beta'], 'message-batches-2024-09-24');
    assert.equal(seen[2]?.headers['anthropic-version'], '2026-10-21');
    assert.equal(seen[2]?.headers['anthropic-beta'], undefined);
    assert.equal(seen[3]?.headers['vendor-beta'], undefined);
  });

  it('attributes only a new batch to the user profile, with its beta header', async () => {
    const { origin, seen } = await recorder();
    const body = {
      byteLength: 2,
      open: () =>
        (async function* () {
          yield Buffer.from('{}');
        })(),
    };
    for (const dialect of [dialects.contract, dialects['anthropic-2023'], dialects['anthropic-2026']]) {
      const { batches } = loopback.client(origin, { dialect, userProfileId: 'profile_1' });
      await batches.create(body).catch(() => undefined);
      await batches.list();
    }
    await loopback
      .client(origin)
      .batches.create(body)
      .catch(() => undefined);
    const attributed = seen.map(({ headers }) => {
      const prefix = headers['vendor-version'] === undefined ? 'anthropic' : 'vendor';
      return [headers[`${prefix}-user-profile-id`], /user-profiles[\w-]*/.exec(String(headers[`${prefix}-beta`]))?.[0]];
    });
    const none = [undefined, undefined];
    const newer = ['profile_1', 'user-profiles-2026-08-18'];
    assert.deepEqual(attributed, [['profile_1', 'user-profiles'], none, newer, none, newer, none, none]);
  });

  it("reports every attempt at a call: route, outcome, and the service's request ID", async () => {
    const records: CallRecord[] = [];
    let answers = 0;
    const origin = await loopback.http((request, response) => {
      if (request.method === 'POST') {
        request.socket.destroy();
      } else if (++answers === 1) {
        response.writeHead(500, { 'request-id': `req_${canary}` }).end();
      } else {
        json(response, { data: [] });
      }
    });
    const client = loopback.client(origin, { onCall: call => records.push(call), ...instantClock() });
    await client.models.list();
    await failureOf(client.batches.cancel('msgbatch_1'));
    assert.deepEqual(
      records.map(({ milliseconds, ...call }) => ({ ...call, isTimed: Number.isInteger(milliseconds) && milliseconds >= 0 })),
      [
        { method: 'GET', path: '/models', status: 500, requestId: 'req_[key]', isTimed: true },
        { method: 'GET', path: '/models', status: 200, requestId: 'req_test', isTimed: true },
        { method: 'POST', path: '/messages/batches/msgbatch_1/cancel', failure: 'connection_lost', isTimed: true },
      ],
    );
  });

  it('keeps the path before /v1 and recognizes a final /v1', async () => {
    const { origin, seen } = await recorder();
    await loopback.client(`${origin}/gate/way/`).models.list();
    await loopback.client(`${origin}/v1`).models.list();
    assert.deepEqual(
      seen.map(({ url }) => url),
      ['/gate/way/v1/models', '/v1/models'],
    );
  });

  it('reuses connections for reads, and opens new ones for calls that must not meet a closing one', async () => {
    const connections: string[] = [];
    const origin = await loopback.http((request, response) => {
      connections.push(`${request.method} ${request.socket.remotePort}`);
      json(response, { id: 'b', data: [] });
    });
    const client = loopback.client(origin);
    await client.models.list();
    await client.models.list();
    await client.batches.cancel('b');
    const ports = connections.map(line => line.split(' ')[1]);
    assert.equal(ports[0], ports[1]);
    assert.notEqual(ports[1], ports[2]);
  });

  it('reads the request ID of a success and of an error, the first of two', async () => {
    const origin = await loopback.http((request, response) => {
      response.writeHead(request.url === '/v1/models' ? 200 : 404, ['Request-Id', 'req_a', 'Request-Id', 'req_b']);
      response.end('{"data":[]}');
    });
    const client = loopback.client(origin);
    assert.equal((await client.models.list()).requestId, 'req_a');
    const error = await failureOf(client.batches.retrieve('b'));
    assert.equal(error.requestId, 'req_a');
    assert.match(error.message, /req_a/);
  });

  it("doesn't send a key of another origin", async () => {
    const { origin, seen } = await recorder();
    const client = loopback.client(origin, { credential: async () => ({ key: canary, origin: 'https://elsewhere.test' }) });
    const error = await failureOf(client.models.list());
    assert.deepEqual([error.kind, error.outcome, seen.length], ['foreign_origin', 'not_sent', 0]);
  });

  it("rejects plain http to a host that isn't this machine unless allowed", async () => {
    const closed = `http://192.0.2.1:9`;
    const error = await failureOf(loopback.client(closed).models.list());
    assert.deepEqual([error.kind, error.outcome], ['insecure_http', 'not_sent']);
    const allowed = loopback.client(closed, { allowInsecureHttp: true, timeouts: { connect: 20 }, network: { proxyFor: () => undefined } });
    assert.notEqual((await failureOf(allowed.models.list())).kind, 'insecure_http');
  });

  it('reports that there is no key, or the position of an invalid character', async () => {
    const { origin, seen } = await recorder();
    for (const key of ['', `${canary}\n`, `${canary}\r\nx: y`, `${canary}é`, `${canary}Ā`, `${canary} x`]) {
      const error = await failureOf(loopback.client(origin, { credential: async () => ({ key, origin }) }).models.list());
      assert.deepEqual([error.kind, error.outcome], ['no_credential', 'not_sent']);
      assert.equal(error.message.includes(canary), false);
    }
    const none = await failureOf(loopback.client(origin, { credential: async () => undefined }).models.list());
    assert.equal(none.kind, 'no_credential');
    assert.equal(seen.length, 0);
  });

  it('rejects invalid betas', async () => {
    const { origin } = await recorder();
    const error = await failureOf(loopback.client(origin, { extraBetas: ['a\r\nx-api-key: b'] }).models.list());
    assert.deepEqual([error.kind, error.outcome], ['invalid_request', 'not_sent']);
  });

  it('never follows a redirect, and names its target', async () => {
    const { origin: other, seen } = await recorder();
    for (const status of [301, 302, 303, 307, 308]) {
      const origin = await loopback.http((_, response) => response.writeHead(status, { location: `${other}/v1/models` }).end());
      const read = await failureOf(loopback.client(origin).models.list());
      assert.equal(read.kind, 'redirect');
      assert.ok(read.message.includes(new URL(other).host), read.message);
      const write = await failureOf(loopback.client(origin).messages.create({ model: 'm' }));
      assert.deepEqual([write.kind, write.outcome], ['redirect', 'unknown']);
    }
    assert.equal(seen.length, 0);
  });

  it('reads the key at every call', async () => {
    const { origin, seen } = await recorder();
    let count = 0;
    const client = loopback.client(origin, { credential: async () => ({ key: `key-${++count}`, origin }) });
    await client.models.list();
    await client.models.list();
    assert.deepEqual(
      seen.map(({ headers }) => headers['x-api-key']),
      ['key-1', 'key-2'],
    );
  });

  it('reads compressed responses and counts the decompressed size', async () => {
    const origin = await loopback.http((request, response) => {
      const bytes = request.url === '/v1/models' ? gzipSync('{"data":[{"id":"m"}]}') : gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bytes);
    });
    const client = loopback.client(origin);
    assert.equal((await client.models.list()).items[0]?.id, 'm');
    assert.equal((await failureOf(client.batches.list())).kind, 'too_large');
  });

  it('limits what it reads: 32 MiB of body, 512 levels of nesting, 64 KiB of an error', async () => {
    const origin = await loopback.http((request, response) => {
      if (request.url?.startsWith('/v1/models')) {
        response.end(Buffer.alloc(40 * 1024 * 1024, ' '));
      } else if (request.url?.includes('deep')) {
        response.end('[{"a":'.repeat(200_000));
      } else {
        response.writeHead(400).end(`{"error":{"type":"invalid_request_error","message":"${'x'.repeat(1024 * 1024)}"}}`);
      }
    });
    const client = loopback.client(origin);
    assert.equal((await failureOf(client.models.list())).kind, 'too_large');
    assert.equal((await failureOf(client.batches.retrieve('deep'))).kind, 'too_large');
    const long = await failureOf(client.batches.retrieve('long'));
    assert.equal(long.kind, 'invalid_request');
    assert.ok(long.message.length < 1000);
  });

  it("distinguishes a response that isn't JSON from one of another shape, and names its content type", async () => {
    const origin = await loopback.http((request, response) => {
      const [type, body] = request.url?.includes('list')
        ? ['application/json', '[1]']
        : ['text/html; charset=utf-8', '<html><title>Sign in</title>'];
      response.writeHead(200, { 'content-type': type }).end(body);
    });
    const client = loopback.client(origin);
    const html = await failureOf(client.batches.retrieve('html'));
    assert.deepEqual([html.kind, html.outcome], ['not_json', 'unknown']);
    assert.match(html.message, /text\/html/);
    assert.equal((await failureOf(client.batches.results('html'))).kind, 'not_json');
    assert.equal((await failureOf(client.batches.retrieve('list'))).kind, 'mismatch');
  });

  it('retries reads after temporary failures, and never writes', async () => {
    let count = 0;
    const origin = await loopback.http((_, response) => {
      count++;
      json(response, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 529);
    });
    const clock = instantClock();
    const client = loopback.client(origin, { clock, random: () => 1 });
    assert.equal((await failureOf(client.models.list())).kind, 'overloaded');
    assert.deepEqual([count, clock.waits], [3, [500, 1000]]);
    count = 0;
    const acts = [client.messages.create({}), client.batches.cancel('b'), client.batches.delete('b'), client.messages.stream({})];
    for (const act of acts) {
      assert.equal((await failureOf(act)).outcome, 'refused');
    }
    assert.equal(count, acts.length);
  });

  it('returns the read that succeeds at last, also after a broken connection', async () => {
    let count = 0;
    const origin = await loopback.http((_, response) => {
      count++;
      if (count === 1) {
        response.socket?.destroy();
      } else if (count === 2) {
        json(response, {}, 503, { 'retry-after': '2' });
      } else {
        json(response, { data: [{ id: 'm' }] });
      }
    });
    const clock = instantClock();
    const page = await loopback.client(origin, { clock, random: () => 0 }).models.list();
    assert.deepEqual([page.items[0]?.id, clock.waits], ['m', [0, 2000]]);
  });

  it('returns the retry time instead of waiting longer than a minute', async () => {
    const origin = await loopback.http((_, response) => json(response, {}, 429, { 'retry-after': '61' }));
    const clock = instantClock();
    const error = await failureOf(loopback.client(origin, { clock }).models.list());
    assert.deepEqual([error.kind, error.retryAfter, clock.waits], ['rate_limit', 61_000, []]);
    assert.match(error.message, /61 s/);
  });

  it('makes at most 110 requests for 100 failing calls', async () => {
    let count = 0;
    const origin = await loopback.http((_, response) => {
      count++;
      json(response, {}, 500);
    });
    const client = loopback.client(origin);
    for (let call = 0; call < 100; call++) {
      await failureOf(client.models.list());
    }
    assert.ok(count > 100 && count <= 110, `${count}`);
  });

  it("leaves the host's own fetch unchanged", async () => {
    const origin = await loopback.http((_, response) => json(response, { data: [] }));
    const dispatcher = Symbol.for('undici.globalDispatcher.1');
    const before = (globalThis as Record<symbol, unknown>)[dispatcher];
    await loopback.client(origin).models.list();
    assert.equal((globalThis as Record<symbol, unknown>)[dispatcher], before);
    assert.equal((await fetch(origin)).status, 200);
  });

  it('rejects an invalid base URL', () => {
    for (const baseUrl of ['', 'my service', 'ftp://a', 'https://u:p@a', 'https://a/?x=1', 'https://a/#b']) {
      assert.throws(() => loopback.client('http://127.0.0.1:1', { baseUrl }), { kind: 'invalid_request', outcome: 'not_sent' });
    }
  });

  it('logs method, path, status and request ID', async () => {
    const { origin } = await recorder();
    const lines: string[] = [];
    const add = (line: string) => lines.push(line);
    await loopback.client(origin, { log: { debug: add, info: add, warn: add } }).models.list();
    assert.match(lines.join('\n'), /^GET \/v1\/models 200 in \d+ ms, request-id req_test$/);
  });
});
