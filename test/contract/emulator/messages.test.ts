import assert from 'node:assert/strict';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { call, contractHeaders } from '../../helpers/emulatorClient';

const body = (content: string, rest: object = {}) => ({
  model: 'vendor-sonnet-5',
  max_tokens: 100,
  messages: [{ role: 'user', content }],
  ...rest,
});

describe('emulator/messages', () => {
  let emulator: Emulator;

  beforeEach(async () => {
    emulator = await startEmulator({ scenario: { streamPause: 0 } });
  });

  afterEach(() => emulator.stop());

  const send = (message: object | string) => call(emulator, 'POST', '/v1/messages', message);
  const eventsOf = (text: string) =>
    text
      .split('\n\n')
      .filter(part => part !== '')
      .map(part => {
        const [event, data] = part.split('\n');
        const parsed = JSON.parse(data?.replace(/^data: /, '') ?? '');
        assert.equal(event, `event: ${parsed.type}`);
        return parsed;
      });

  it('answers a plain message with usage by the size of the prompt, equal to a token count', async () => {
    const { status, json } = await send(body('Hello'));
    assert.equal(status, 200);
    assert.deepEqual(json.content, [{ type: 'text', text: 'Emulated answer to: Hello', citations: null }]);
    assert.deepEqual([json.container, json.context_management, json.diagnostics], [null, null, null]);
    assert.equal(json.usage.input_tokens, 1 + Math.ceil('Hello'.length / 4));
    const { max_tokens: _, ...counted } = body('Hello');
    const count = await call(emulator, 'POST', '/v1/messages/count_tokens', counted);
    assert.deepEqual(count.json, { input_tokens: json.usage.input_tokens, context_management: null });
  });

  it('streams the same text in pieces', async () => {
    const { headers, text } = await send(body('Hello over there', { stream: true }));
    assert.match(headers.get('content-type') ?? '', /^text\/event-stream/);
    const events = eventsOf(text);
    assert.deepEqual([events[0].type, events.at(-1).type], ['message_start', 'message_stop']);
    const pieces = events.filter(event => event.type === 'content_block_delta').map(event => event.delta.text);
    assert.ok(pieces.length > 2);
    assert.equal(pieces.join(''), 'Emulated answer to: Hello over there');
  });

  it('names the invalid field', async () => {
    for (const [message, text] of [
      ['{"model":', /^Invalid JSON body$/],
      ['[]', /^Input should be an object$/],
      [{ ...body('x'), max_tokens: 'many' }, /^max_tokens: /],
      [{ ...body('x'), messages: [{ role: 'user' }] }, /^messages\.0\.content: /],
      [{ ...body('x'), unheard: 1 }, /^unheard: Extra inputs/],
    ] as const) {
      const { status, json } = await send(message);
      assert.deepEqual([status, json.error.type], [400, 'invalid_request_error']);
      assert.match(json.error.message, text);
    }
  });

  it('returns 413 above 32 MiB', async () => {
    const { status, json } = await send(`{"model":"${'x'.repeat(32 * 1024 * 1024)}"}`);
    assert.deepEqual([status, json.error.type], [413, 'invalid_request_error']);
  });

  it('fails as a marker asks: at once, in the stream, or by cutting the stream', async () => {
    const failed = await send(body('[emulate: error overloaded_error]', { stream: true }));
    assert.deepEqual([failed.status, failed.json.error.type], [529, 'overloaded_error']);
    const { status, text, requestId } = await send(body('[emulate: stream-error api_error]', { stream: true }));
    const last = eventsOf(text).at(-1);
    assert.deepEqual([status, last.type, last.error.type, last.request_id], [200, 'error', 'api_error', requestId]);
    assert.equal((await send(body('[emulate: stream-error api_error]'))).status, 500);
    await assert.rejects(send(body('[emulate: cut]', { stream: true })), TypeError);
  });

  it('stops streaming when the client disconnects', async () => {
    emulator.setScenario({ streamPause: 60_000 });
    const aborter = new AbortController();
    const response = await fetch(`${emulator.url}/v1/messages`, {
      method: 'POST',
      headers: contractHeaders(emulator.key),
      body: JSON.stringify(body('x', { stream: true })),
      signal: aborter.signal,
    });
    const reader = response.body?.getReader();
    await reader?.read();
    aborter.abort();
    await assert.rejects(reader?.read() ?? Promise.resolve(), { name: 'AbortError' });
    await emulator.stop();
  });

  it('lists models in pages and returns one', async () => {
    const { json } = await call(emulator, 'GET', '/v1/models?limit=3');
    assert.equal(json.data.length, 3);
    assert.ok(json.next_page);
    const { json: model } = await call(emulator, 'GET', `/v1/models/${json.data[0].id}`);
    assert.deepEqual(model, json.data[0]);
    assert.deepEqual([model.type, typeof model.display_name, typeof model.max_tokens], ['model', 'string', 'number']);
    assert.equal((await call(emulator, 'GET', '/v1/models/none')).status, 404);
  });
});
