import assert from 'node:assert/strict';
import http from 'node:http';
import net from 'node:net';
import { readDelivery } from '../../../../../src/features/resources/webhooks/verifyDelivery';
import { presentDelivery, toDeliveryText } from '../../../../../src/features/resources/webhooks/webhookDesk';
import { WebhookReceiver } from '../../../../../src/features/resources/webhooks/webhookReceiver';
import { context } from '../presenting';

describe('features/resources/webhooks/webhookReceiver', () => {
  let receiver: WebhookReceiver;
  let changes: number;

  beforeEach(async () => {
    changes = 0;
    receiver = new WebhookReceiver(
      () => context.now,
      () => {
        changes++;
      },
    );
    await receiver.start();
  });
  afterEach(() => receiver.stop());

  const post = (body: string, headers: Record<string, string> = {}, url = receiver.url) =>
    fetch(url, { method: 'POST', body, headers }).then(({ status }) => status);
  const event = (type: string, id = 'sesn_1') => JSON.stringify({ type: 'event', id: 'e', data: { type, id } });

  it('lists deliveries newest first, and recognizes duplicates by their ID', async () => {
    assert.equal(await post(event('session.status_idled'), { 'webhook-id': 'a' }), 200);
    assert.equal(await post(event('vault.created', 'vlt_1'), { 'webhook-id': 'b' }), 200);
    assert.equal(await post(event('session.status_idled'), { 'webhook-id': 'a' }), 200);
    assert.equal(changes, 3);
    assert.deepEqual(
      receiver.deliveries.map(({ type, sessionId, isDuplicate, id }) => [type, sessionId, isDuplicate, id]),
      [
        ['session.status_idled', 'sesn_1', true, 'a'],
        ['vault.created', undefined, false, 'b'],
        ['session.status_idled', 'sesn_1', false, 'a'],
      ],
    );
    assert.equal(new Set(receiver.deliveries.map(({ key }) => key)).size, 3);
  });

  it("keeps deliveries that aren't events, with every byte", async () => {
    for (const body of ['', 'no JSON \u0000', '[]', '{"data": 1}']) {
      assert.equal(await post(body), 200);
      const [taken] = receiver.deliveries;
      assert.ok(taken !== undefined);
      assert.deepEqual([Buffer.from(taken.body).toString(), taken.type, taken.sessionId], [body, '', undefined]);
    }
    assert.equal(
      receiver.deliveries.some(({ isDuplicate }) => isDuplicate),
      false,
    );
  });

  it('rejects calls with another path, method or host name', async () => {
    const { origin, port } = new URL(receiver.url);
    assert.equal(await post('x', {}, origin), 404);
    assert.equal(await post('x', {}, `${receiver.url}/more`), 404);
    assert.equal((await fetch(receiver.url)).status, 405);
    const foreign = await new Promise<number | undefined>((resolve, reject) => {
      const { pathname: path } = new URL(receiver.url);
      const request = http.request(
        { host: '127.0.0.1', port, path, method: 'POST', headers: { host: `evil.example:${port}` } },
        response => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      request.once('error', reject).end('x');
    });
    assert.equal(foreign, 404);
    assert.equal(await post('x'.repeat(1024 * 1024 + 1)), 413);
    assert.deepEqual([receiver.deliveries.length, changes], [0, 0]);
  });

  it('rejects calls from browsers', async () => {
    for (const origin of ['https://evil.example', 'null', new URL(receiver.url).origin]) {
      assert.equal(await post(event('vault.created'), { origin }), 403);
    }
    assert.deepEqual([receiver.deliveries.length, changes], [0, 0]);
  });

  it('keeps at most 32 MiB of deliveries, the newest', async () => {
    const body = 'x'.repeat(1024 * 1024);
    for (let count = 0; count < 40; count++) {
      assert.equal(await post(body, { 'webhook-id': String(count) }), 200);
    }
    const { deliveries } = receiver;
    const bytes = deliveries.reduce((sum, one) => sum + one.body.length, 0);
    assert.ok(bytes <= 32 * 1024 * 1024 && deliveries.length >= 30, `${deliveries.length} deliveries, ${bytes} bytes`);
    assert.deepEqual([deliveries[0]?.id, deliveries.at(-1)?.id], ['39', String(40 - deliveries.length)]);
  });

  /** Starts a delivery of 1 MiB without its last byte. */
  function begin(): net.Socket {
    const { port, pathname, host } = new URL(receiver.url);
    const socket = net.connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 1048576\r\n\r\n`);
    socket.write(Buffer.alloc(1024 * 1024 - 1));
    return socket;
  }

  it('rejects deliveries while bodies in progress leave no room', async () => {
    const postUntil = async (wanted: number) => {
      let status: number;
      do {
        status = await post('x'.repeat(1024 * 1024));
      } while (status !== wanted);
    };
    const senders = Array.from({ length: 33 }, begin);
    await postUntil(503);
    for (const sender of senders) {
      sender.destroy();
    }
    await postUntil(200);
  });

  it("gives up on a delivery that doesn't end", async () => {
    receiver.stop();
    const { now } = context;
    receiver = new WebhookReceiver(
      () => now,
      () => undefined,
      200,
    );
    await receiver.start();
    let answer = '';
    for await (const part of begin()) {
      answer += part;
    }
    assert.match(answer, /^HTTP\/1\.1 408/);
    assert.deepEqual(receiver.deliveries, []);
  });

  it('has another address each time, and none after it was stopped', async () => {
    const { url } = receiver;
    const other = new WebhookReceiver(Date.now, () => undefined);
    await other.start();
    assert.notEqual(new URL(other.url).pathname, new URL(url).pathname);
    other.stop();
    receiver.stop();
    await assert.rejects(fetch(url, { method: 'POST' }));
  });

  it('shows each delivery in words, and as a text that can be verified again', async () => {
    await post(event('session.status_idled\u202e'), { 'webhook-id': 'a' });
    const [taken] = receiver.deliveries;
    assert.ok(taken !== undefined);
    const row = (verdict?: boolean) =>
      presentDelivery(taken, verdict === undefined ? undefined : { isValid: verdict, findings: [] }, context);
    assert.deepEqual(
      [row(true).icon, row(false).icon, row().icon, row(true).abilities],
      ['verified', 'warning', 'question', 'delivery hasSession'],
    );
    assert.equal(row(false).spoken, 'session.status_idled\\u{202e}, not verified, now');
    const again = readDelivery(toDeliveryText(taken));
    assert.deepEqual([again?.headers['webhook-id'], Buffer.from(again?.body ?? []).toString()], ['a', Buffer.from(taken.body).toString()]);
  });
});
