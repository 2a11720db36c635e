import assert from 'node:assert/strict';
import { HeldTimers } from '../../../helpers/heldTimers';
import { until } from '../../../helpers/until';
import { collect, failureOf, json, Loopback, readBody } from '../loopback';

describe('client/resources/messages', () => {
  const loopback = new Loopback();
  afterEach(() => loopback.closeAll());

  const stream = (text: string, type = 'text/event-stream') =>
    loopback.http((_, response) => response.writeHead(200, { 'content-type': type, 'request-id': 'req_s' }).end(text));
  const event = (value: object) => `event: whatever\ndata: ${JSON.stringify(value)}\n\n`;
  const stop = event({ type: 'message_stop' });

  it('sends a text byte for byte, and for a stream the same values with stream', async () => {
    const bodies: string[] = [];
    const origin = await loopback.http(async (request, response) => {
      bodies.push(await readBody(request));
      json(response, { id: 'm', content: [{ type: 'text', text: 'hi' }] });
    });
    const text = '{ "big": 12345678901234567890, "model" : "m" , "u":"\\u00e9"}';
    const { messages } = loopback.client(origin);
    const { data, requestId } = await messages.create(text);
    assert.deepEqual([data.content[0]?.text, requestId], ['hi', 'req_test']);
    await failureOf(messages.stream(text));
    await messages.create({ model: 'm' });
    assert.deepEqual(bodies, [text, '{"big":12345678901234567890,"model":"m","u":"é","stream":true}', '{"model":"m"}']);
  });

  it('yields events by the type in their data, including pings and unknown ones', async () => {
    const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'a' } };
    const origin = await stream(
      `: hello\n\n${event({ type: 'message_start' })}${event({ type: 'ping' })}${event(delta)}${event({ type: 'new_kind', x: 1 })}${stop}`,
    );
    const answer = await loopback.client(origin).messages.stream({});
    assert.equal(answer.requestId, 'req_s');
    assert.deepEqual(await collect(answer), [
      { type: 'message_start' },
      { type: 'ping' },
      delta,
      { type: 'new_kind', x: 1 },
      { type: 'message_stop' },
    ]);
  });

  it('throws an error event as the error it names', async () => {
    const named = event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' }, request_id: 'req_x' });
    const answer = await loopback.client(await stream(event({ type: 'message_start' }) + named)).messages.stream({});
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { type } of answer) {
        seen.push(type);
      }
    })();
    const error = await failureOf(reading);
    assert.deepEqual([seen, error.kind, error.serviceMessage, error.outcome], [['message_start'], 'overloaded', 'Overloaded', 'unknown']);
    const other = await loopback
      .client(await stream(event({ type: 'error', error: { type: 'new_error', message: 'x' } })))
      .messages.stream({});
    assert.equal((await failureOf(collect(other))).kind, 'stream_error');
  });

  it('never treats a stream that ends early as a complete message', async () => {
    const answer = await loopback.client(await stream(event({ type: 'message_start' }))).messages.stream({});
    assert.equal((await failureOf(collect(answer))).kind, 'connection_lost');
  });

  it("reports events that aren't JSON without quoting them", async () => {
    const secret = 'SECRET-in-the-stream';
    for (const data of [`{"${secret}`, `"${secret}"`, `[1]`]) {
      const answer = await loopback.client(await stream(`data: ${data}\n\n${stop}`)).messages.stream({});
      const error = await failureOf(collect(answer));
      assert.equal(error.kind, 'not_json');
      assert.equal(JSON.stringify([error.message, error.stack, String(error.cause)]).includes('SECRET'), false);
    }
  });

  it('limits one event', async () => {
    const origin = await loopback.http((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const piece = `data: ${'x'.repeat(1024 * 1024)}\n`;
      for (let count = 0; count < 40; count++) {
        response.write(piece);
      }
    });
    assert.equal((await failureOf(collect(await loopback.client(origin).messages.stream({})))).kind, 'too_large');
  });

  it("reports that the service doesn't stream", async () => {
    const kinds: unknown[] = [];
    for (const [text, type] of [
      ['{"id":"m"}', 'application/json'],
      ['hello', 'text/plain'],
      ['<html>', 'text/html'],
    ] as const) {
      kinds.push((await failureOf(loopback.client(await stream(text, type)).messages.stream({}))).kind);
    }
    assert.deepEqual(kinds, ['mismatch', 'not_json', 'not_json']);
  });

  it('treats comments as a sign of life, and silence as the end', async () => {
    const timers = new HeldTimers([400]);
    loopback.onClose(async () => timers.release());
    const seen: string[] = [];
    const origin = await loopback.http((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      void (async () => {
        await until(() => timers.count > 0);
        for (let comments = 0; comments < 10; comments++) {
          timers.pass(300);
          const { starts } = timers;
          response.write(': still here\n\n');
          await until(() => timers.starts > starts);
        }
        response.write(event({ type: 'ping' }));
        await until(() => seen.length > 0);
        timers.pass(400);
      })();
    });
    const answer = await loopback.client(origin, { timeouts: { streamSilence: 400, bodySilence: 1 } }).messages.stream({});
    const reading = (async () => {
      for await (const { type } of answer) {
        seen.push(type);
      }
    })();
    assert.equal((await failureOf(reading)).kind, 'silence_timeout');
    assert.deepEqual(seen, ['ping']);
  });

  it('closes the connection when its reader leaves', async () => {
    let onClose = () => {};
    const closed = new Promise<void>(resolve => {
      onClose = resolve;
    });
    const origin = await loopback.http((request, response) => {
      request.socket.once('close', onClose);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event({ type: 'message_start' }));
    });
    for await (const _ of await loopback.client(origin).messages.stream({})) {
      break;
    }
    await closed;
  });
});
