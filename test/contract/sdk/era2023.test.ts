import assert from 'node:assert/strict';
import Anthropic, {
  AuthenticationError,
  BadRequestError,
  ConflictError,
  InternalServerError,
  NotFoundError,
  RateLimitError,
} from 'anthropic-sdk-era-2023';
import type { Emulator } from '../../../src/emulator/emulator';
import { startEmulator } from '../../../src/emulator/server';

const model = 'claude-sonnet-4-6';
const hour = 60 * 60 * 1000;

function requests(count: number, text = 'Say hello') {
  return Array.from({ length: count }, (_, n) => ({
    custom_id: `request-${n}`,
    params: { model, max_tokens: 200, messages: [{ role: 'user' as const, content: `${text} ${n}` }] },
  }));
}

describe('vendor SDK 0.122 against src/emulator in dialect anthropic-2023', () => {
  let emulator: Emulator;
  let client: Anthropic;

  beforeEach(async () => {
    emulator = await startEmulator({ dialect: 'anthropic-2023', scenario: { batchDuration: hour, cancelDuration: hour, streamPause: 0 } });
    client = new Anthropic({ apiKey: emulator.key, baseURL: emulator.url, maxRetries: 0 });
  });

  afterEach(() => emulator.stop());

  it('creates a batch, sees it end and reads every result', async () => {
    const created = await client.beta.messages.batches.create({ requests: requests(40) });
    assert.equal(created.processing_status, 'in_progress');
    assert.deepEqual(created.request_counts, { processing: 40, succeeded: 0, errored: 0, canceled: 0, expired: 0 });
    assert.equal(created.results_url, null);
    await assert.rejects(client.beta.messages.batches.results(created.id), /No batch `results_url`/);

    await emulator.advanceClock(hour);
    const ended = await client.beta.messages.batches.retrieve(created.id);
    assert.equal(ended.processing_status, 'ended');
    assert.equal(ended.request_counts.succeeded, 40);

    const texts = new Map<string, string>();
    for await (const { custom_id, result } of await client.beta.messages.batches.results(created.id)) {
      const block = result.type === 'succeeded' ? result.message.content[0] : undefined;
      texts.set(custom_id, block?.type === 'text' ? block.text : '');
    }
    assert.equal(texts.size, 40);
    assert.equal(texts.get('request-7'), 'Emulated answer to: Say hello 7');
    assert.notDeepEqual(
      [...texts.keys()],
      requests(40).map(request => request.custom_id),
    );
  });

  it('lists all batches over several pages, newest first, forwards and backwards', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      ids.unshift((await client.beta.messages.batches.create({ requests: requests(1) })).id);
    }
    const listed: string[] = [];
    for await (const batch of client.beta.messages.batches.list({ limit: 2 })) {
      listed.push(batch.id);
    }
    assert.deepEqual(listed, ids);
    const before = await client.beta.messages.batches.list({ limit: 2, before_id: ids[3] });
    assert.deepEqual(
      before.data.map(batch => batch.id),
      ids.slice(1, 3),
    );
    assert.equal(before.has_more, true);
  });

  it('cancels a batch: canceling at once, later ended with a part done', async () => {
    const { id } = await client.beta.messages.batches.create({ requests: requests(10) });
    await emulator.advanceClock(hour / 2);
    const canceling = await client.beta.messages.batches.cancel(id);
    assert.equal(canceling.processing_status, 'canceling');
    assert.ok(canceling.cancel_initiated_at);
    assert.deepEqual(await client.beta.messages.batches.cancel(id), canceling);
    await emulator.advanceClock(hour);
    const { processing_status, request_counts } = await client.beta.messages.batches.retrieve(id);
    assert.equal(processing_status, 'ended');
    assert.deepEqual(request_counts, { processing: 0, succeeded: 5, errored: 0, canceled: 5, expired: 0 });
  });

  it('deletes a batch only once it has ended', async () => {
    const { id } = await client.beta.messages.batches.create({ requests: requests(1) });
    await assert.rejects(client.beta.messages.batches.delete(id), ConflictError);
    await emulator.advanceClock(hour);
    assert.deepEqual(await client.beta.messages.batches.delete(id), { id, type: 'message_batch_deleted' });
    await assert.rejects(client.beta.messages.batches.retrieve(id), NotFoundError);
  });

  it('lists models over several pages and retrieves one', async () => {
    const models: string[] = [];
    for await (const { id } of client.models.list({ limit: 4 })) {
      models.push(id);
    }
    assert.ok(models.length > 8 && models.every(id => id.startsWith('claude-')));
    assert.equal(new Set(models).size, models.length);
    assert.equal((await client.models.retrieve(model)).display_name, 'Claude Sonnet 4.6 (emulated)');
    await assert.rejects(client.models.retrieve('no-such-model'), NotFoundError);
  });

  it('sends a plain message', async () => {
    const message = await client.messages.create({ model, max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] });
    assert.deepEqual(message.content, [{ type: 'text', text: 'Emulated answer to: Hello' }]);
    assert.equal(message.stop_reason, 'end_turn');
    assert.ok(message._request_id?.startsWith('req_'));
  });

  it('streams a message whose pieces make the plain one', async () => {
    const stream = client.messages.stream({ model, max_tokens: 500, messages: [{ role: 'user', content: 'Hello [emulate: long 900]' }] });
    let pieces = 0;
    let text = '';
    stream.on('text', piece => {
      pieces++;
      text += piece;
    });
    const message = await stream.finalMessage();
    assert.ok(pieces > 10);
    assert.equal(text.length, 900);
    assert.deepEqual(message.content, [{ type: 'text', text }]);
    assert.equal(message.stop_reason, 'end_turn');
  });

  it('streams a tool call whose input the SDK puts together', async () => {
    const message = await client.messages
      .stream({
        model,
        max_tokens: 500,
        messages: [{ role: 'user', content: 'Weather?' }],
        tools: [
          {
            name: 'weather',
            input_schema: {
              type: 'object',
              properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 } },
              required: ['city', 'days'],
            },
          },
        ],
        tool_choice: { type: 'tool', name: 'weather' },
      })
      .finalMessage();
    const call = message.content[0];
    assert.equal(message.stop_reason, 'tool_use');
    assert.deepEqual(call?.type === 'tool_use' ? [call.name, call.input] : undefined, ['weather', { city: 'emulated', days: 1 }]);
  });

  it('meets the error class of each failure', async () => {
    const hello = { model, max_tokens: 10, messages: [{ role: 'user' as const, content: 'Hello' }] };
    const stranger = new Anthropic({ apiKey: 'wrong', baseURL: emulator.url, maxRetries: 0 });
    await assert.rejects(stranger.messages.create(hello), AuthenticationError);
    await assert.rejects(client.beta.messages.batches.create({ requests: [] }), BadRequestError);
    await assert.rejects(client.messages.create({ ...hello, max_tokens: -1 }), BadRequestError);
    emulator.setScenario({ faults: [{ name: 'rateLimit', times: 1 }] });
    await assert.rejects(client.messages.create(hello), RateLimitError);
    emulator.setScenario({ faults: [{ name: 'overloaded', times: 1 }] });
    await assert.rejects(client.messages.create(hello), InternalServerError);
  });
});
