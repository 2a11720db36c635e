import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import type { DialectName } from '../../../src/client/dialect';
import { type Emulator, type EmulatorOptions, startEmulator } from '../../../src/emulator/server';
import { batchOf, call, contractHeaders, sendRaw } from '../../helpers/emulatorClient';

describe('emulator/server', () => {
  const started: Emulator[] = [];
  const start = async (options?: EmulatorOptions) => {
    const emulator = await startEmulator(options);
    started.push(emulator);
    return emulator;
  };

  afterEach(async () => {
    await Promise.all(started.splice(0).map(emulator => emulator.stop()));
  });

  it('creates a new key for each start', async () => {
    const [first, second] = [await start(), await start()];
    assert.notEqual(first.key, second.key);
    assert.ok(first.key.length > 30);
    assert.equal((await call(first, 'GET', '/v1/models', undefined, { 'x-api-key': second.key })).status, 401);
  });

  it('accepts the key in either header; X-Api-Key wins over the other', async () => {
    const { url, key } = await start();
    const status = async (headers: Record<string, string>) => (await fetch(`${url}/v1/models`, { headers })).status;
    assert.equal(await status({ 'x-api-key': key }), 200);
    assert.equal(await status({ authorization: `Bearer ${key}` }), 200);
    assert.equal(await status({ 'x-api-key': key, authorization: 'Bearer wrong' }), 200);
    assert.equal(await status({ 'x-api-key': 'wrong', authorization: `Bearer ${key}` }), 401);
    assert.equal(await status({ authorization: `Basic ${key}` }), 401);
    assert.equal(await status({}), 401);
  });

  it('sends a request-id with every response, and repeats it in error bodies', async () => {
    const emulator = await start();
    const ids = new Set<string | null>();
    for (const [method, path] of [
      ['GET', '/v1/models'],
      ['GET', '/v1/nothing'],
      ['PUT', '/v1/models'],
      ['GET', '/v1/messages/batches/gone?beta=true'],
      ['GET', '/v1/messages/batches'],
    ] as const) {
      const { status, json, requestId } = await call(emulator, method, path);
      assert.match(requestId ?? '', /^req_/);
      assert.equal(status === 200 ? requestId : json.request_id, requestId);
      assert.ok(status === 200 || json.type === 'error');
      ids.add(requestId);
    }
    assert.equal(ids.size, 5);
  });

  it('responds only to its own host names and to no web page, and sends no CORS headers', async () => {
    const { url, key } = await start();
    const { port } = new URL(url);
    const get = (headers: string) =>
      sendRaw(url, `GET /v1/models HTTP/1.1\r\nx-api-key: ${key}\r\nConnection: close\r\n${headers}\r\n\r\n`);
    assert.match(await get(`Host: 127.0.0.1:${port}`), /^HTTP\/1\.1 200 /);
    assert.match(await get(`Host: localhost:${port}`), /^HTTP\/1\.1 200 /);
    for (const headers of [`Host: evil.example:${port}`, 'Host: 127.0.0.1', `Host: localhost:${port}\r\nOrigin: https://evil.example`]) {
      const answer = await get(headers);
      assert.match(answer, /^HTTP\/1\.1 403 [\s\S]*"permission_error"/);
      assert.doesNotMatch(answer, /access-control/i);
    }
  });

  it("rejects bytes that aren't HTTP", async () => {
    const { url } = await start();
    assert.match(await sendRaw(url, 'hello\r\n\r\n'), /^HTTP\/1\.1 400 /);
    const headers = `GET / HTTP/1.1\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`;
    assert.match(await sendRaw(url, headers), /^HTTP\/1\.1 431 /);
  });

  it("enforces its dialect's rules for batches", async () => {
    const path = '/v1/messages/batches';
    const status = async (dialect: DialectName, query: string, headers: Record<string, string>) => {
      const { url, key } = await start({ dialect });
      return (await fetch(`${url}${path}${query}`, { headers: { 'x-api-key': key, ...headers } })).status;
    };
    const beta = 'message-batches-2024-09-24';
    assert.equal(await status('contract', '?beta=true', { 'vendor-beta': beta }), 200);
    assert.equal(await status('contract', '?beta=true', { 'vendor-beta': `other, ${beta}`, 'vendor-version': '2023-06-01' }), 200);
    assert.equal(await status('contract', '', { 'vendor-beta': beta }), 400);
    assert.equal(await status('contract', '?beta=maybe', { 'vendor-beta': beta }), 400);
    assert.equal(await status('contract', '?beta=true', {}), 400);
    assert.equal(await status('contract', '?beta=true', { 'anthropic-beta': beta, 'anthropic-version': '2023-06-01' }), 400);
    assert.equal(await status('anthropic-2023', '?beta=true', { 'anthropic-beta': beta, 'anthropic-version': '2023-06-01' }), 200);
    assert.equal(await status('anthropic-2023', '?beta=true', { 'anthropic-beta': beta }), 400);
    assert.equal(await status('anthropic-2023', '?beta=true', { 'anthropic-version': '2023-06-01' }), 400);
    assert.equal(await status('anthropic-2023', '', { 'anthropic-version': '2023-06-01' }), 200);
    assert.equal(await status('anthropic-2023', '', { 'anthropic-version': '1999-01-01' }), 400);
    assert.equal(await status('anthropic-2026', '', { 'anthropic-version': '2026-10-21' }), 200);
  });

  it('records calls without the key', async () => {
    const emulator = await start();
    await call(emulator, 'POST', '/v1/messages/batches?beta=true', batchOf('x'));
    await call(emulator, 'GET', '/v1/models', undefined, { authorization: `Bearer ${emulator.key}` });
    const { json, text } = await call(emulator, 'GET', '/_emulator/requests');
    assert.deepEqual(json.requests, JSON.parse(JSON.stringify(emulator.requests)));
    assert.deepEqual(
      emulator.requests.map(({ method, path, auth, bodyBytes, status }) => ({ method, path, auth, bodyBytes, status })),
      [
        {
          method: 'POST',
          path: '/v1/messages/batches?beta=true',
          auth: ['x-api-key'],
          bodyBytes: JSON.stringify(batchOf('x')).length,
          status: 200,
        },
        { method: 'GET', path: '/v1/models', auth: ['x-api-key', 'bearer'], bodyBytes: 0, status: 200 },
      ],
    );
    assert.ok(!text.includes(emulator.key));
    await call(emulator, 'DELETE', '/_emulator/requests');
    assert.equal(emulator.requests.length, 0);
  });

  it('requires the key for its control routes, and rejects unknown controls', async () => {
    const emulator = await start();
    assert.equal((await fetch(`${emulator.url}/_emulator/scenario`)).status, 401);
    assert.equal((await call(emulator, 'POST', '/_emulator/scenario', { streamPause: 3 })).json.streamPause, 3);
    assert.equal((await call(emulator, 'GET', '/_emulator/scenario')).json.streamPause, 3);
    assert.equal((await call(emulator, 'POST', '/_emulator/scenario', { nonsense: 1 })).status, 400);
    assert.equal((await call(emulator, 'POST', '/_emulator/clock', { advance: -5 })).status, 400);
    assert.equal((await call(emulator, 'GET', '/_emulator/unknown')).status, 404);
    const before = Date.parse((await call(emulator, 'GET', '/_emulator/clock')).json.now);
    const after = Date.parse((await call(emulator, 'POST', '/_emulator/clock', { advance: 5_000_000 })).json.now);
    assert.ok(after - before >= 5_000_000);
  });

  it('fails to start on a port that is in use', async () => {
    const { url } = await start();
    await assert.rejects(start({ port: Number(new URL(url).port) }), { code: 'EADDRINUSE' });
  });

  it('closes every connection and its port when it is stopped during any call', async () => {
    const emulator = await startEmulator({
      scenario: { batchDuration: 60_000, streamPause: 1000, faults: [{ name: 'stall', route: 'models.list' }] },
    });
    const { port } = new URL(emulator.url);
    await call(emulator, 'POST', '/v1/messages/batches?beta=true', batchOf('x', 'y'));
    const head = Object.entries(contractHeaders(emulator.key))
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    const open = ['GET /v1/models', 'POST /v1/messages', 'POST /v1/messages/batches?beta=true'].map(async line => {
      const socket = net.connect(Number(port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(`${line} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${head}content-length: 1000\r\n\r\n{"requests":[`);
      await once(socket, 'close');
    });
    while (emulator.requests.length < 4) {
      await new Promise(resolve => setImmediate(resolve));
    }
    await Promise.all([emulator.stop(), emulator.stop(), ...open]);
    await assert.rejects(once(net.connect(Number(port), '127.0.0.1'), 'connect'), { code: 'ECONNREFUSED' });
  });
});
