import assert from 'node:assert/strict';
import { type Emulator, startEmulator } from '../../../src/emulator/server';

const model = 'claude-sonnet-4-6';
const hour = 60 * 60 * 1000;

interface Batch {
  readonly id: string;
  readonly processing_status: string;
  readonly request_counts: object & { readonly succeeded: number };
  readonly results_url: string | null;
  readonly cancel_initiated_at: string | null;
}

interface Result {
  readonly custom_id: string;
  readonly result: { readonly type: string; readonly message?: Message };
}

interface Message {
  readonly content: readonly { readonly type: string; readonly text?: string; readonly name?: string; readonly input?: unknown }[];
  readonly stop_reason: string | null;
  readonly _request_id?: string | null;
}

interface MessageRequest {
  model: string;
  max_tokens: number;
  messages: { role: 'user'; content: string }[];
  tools?: { name: string; input_schema: { type: 'object'; properties: object; required: string[] } }[];
  tool_choice?: { type: 'tool'; name: string };
}

type Pages<T> = AsyncIterable<T> & Promise<{ readonly data: readonly T[]; readonly has_more: boolean }>;

/** Methods in both versions of the vendor's SDK, under one name each. The compiler checks that they exist. */
export interface VendorClient {
  readonly batches: {
    create(body: { requests: { custom_id: string; params: MessageRequest }[] }): Promise<Batch>;
    retrieve(id: string): Promise<Batch>;
    list(query: { limit: number; before_id?: string }): Pages<Batch>;
    cancel(id: string): Promise<Batch>;
    delete(id: string): Promise<{ readonly id: string; readonly type: string }>;
    results(id: string): Promise<AsyncIterable<Result>>;
  };
  readonly models: {
    list(query: { limit: number }): Pages<{ readonly id: string }>;
    retrieve(id: string): Promise<{ readonly display_name: string }>;
  };
  /** Batches without a beta. */
  readonly stableBatches: Pick<VendorClient['batches'], 'create' | 'retrieve' | 'list'>;
  /** Token counts, without and with a beta. */
  readonly countTokens: readonly ((body: Pick<MessageRequest, 'model' | 'messages'>) => Promise<{ readonly input_tokens: number }>)[];
  createMessage(body: MessageRequest): Promise<Message>;
  streamMessage(body: MessageRequest): { on(event: 'text', listener: (piece: string) => void): unknown; finalMessage(): Promise<Message> };
}

type ErrorName = 'AuthenticationError' | 'BadRequestError' | 'ConflictError' | 'InternalServerError' | 'NotFoundError' | 'RateLimitError';

export interface VendorSdk {
  readonly name: string;
  readonly dialect: 'anthropic-2023' | 'anthropic-2026';
  readonly errors: Readonly<Record<ErrorName, new (...args: never) => Error>>;
  /** Creates a client without retries. */
  connect(url: string, key: string): VendorClient;
}

function requests(count: number, text = 'Say hello') {
  return Array.from({ length: count }, (_, n) => ({
    custom_id: `request-${n}`,
    params: { model, max_tokens: 200, messages: [{ role: 'user' as const, content: `${text} ${n}` }] },
  }));
}

/** Tests the emulator with the vendor's code. */
export function describeVendorSdk(sdk: VendorSdk): void {
  describe(`src/emulator with ${sdk.name}`, () => {
    let emulator: Emulator;
    let client: VendorClient;

    beforeEach(async () => {
      emulator = await startEmulator({ dialect: sdk.dialect, scenario: { batchDuration: hour, cancelDuration: hour, streamPause: 0 } });
      client = sdk.connect(emulator.url, emulator.key);
    });

    afterEach(() => emulator.stop());

    it('creates a batch, waits for its end and reads every result', async () => {
      const created = await client.batches.create({ requests: requests(40) });
      assert.equal(created.processing_status, 'in_progress');
      assert.deepEqual(created.request_counts, { processing: 40, succeeded: 0, errored: 0, canceled: 0, expired: 0 });
      assert.equal(created.results_url, null);
      await assert.rejects(client.batches.results(created.id), /No batch `results_url`/);

      await emulator.advanceClock(hour);
      const ended = await client.batches.retrieve(created.id);
      assert.equal(ended.processing_status, 'ended');
      assert.equal(ended.request_counts.succeeded, 40);

      const texts = new Map<string, string>();
      for await (const { custom_id, result } of await client.batches.results(created.id)) {
        texts.set(custom_id, result.message?.content[0]?.text ?? '');
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
        ids.unshift((await client.batches.create({ requests: requests(1) })).id);
      }
      const listed: string[] = [];
      for await (const batch of client.batches.list({ limit: 2 })) {
        listed.push(batch.id);
      }
      assert.deepEqual(listed, ids);
      const before = await client.batches.list({ limit: 2, before_id: ids[3] });
      assert.deepEqual(
        before.data.map(batch => batch.id),
        ids.slice(1, 3),
      );
      assert.equal(before.has_more, true);
    });

    it('cancels a batch: canceling at once, later ended with some requests done', async () => {
      const { id } = await client.batches.create({ requests: requests(10) });
      await emulator.advanceClock(hour / 2);
      const canceling = await client.batches.cancel(id);
      assert.equal(canceling.processing_status, 'canceling');
      assert.ok(canceling.cancel_initiated_at);
      assert.deepEqual(await client.batches.cancel(id), canceling);
      await emulator.advanceClock(hour);
      const { processing_status, request_counts } = await client.batches.retrieve(id);
      assert.equal(processing_status, 'ended');
      assert.deepEqual(request_counts, { processing: 0, succeeded: 5, errored: 0, canceled: 5, expired: 0 });
    });

    it('deletes a batch only after it has ended', async () => {
      const { id } = await client.batches.create({ requests: requests(1) });
      await assert.rejects(client.batches.delete(id), sdk.errors.ConflictError);
      await emulator.advanceClock(hour);
      assert.deepEqual(await client.batches.delete(id), { id, type: 'message_batch_deleted' });
      await assert.rejects(client.batches.retrieve(id), sdk.errors.NotFoundError);
    });

    it('lists models over several pages and retrieves one', async () => {
      const models: string[] = [];
      for await (const { id } of client.models.list({ limit: 4 })) {
        models.push(id);
      }
      assert.ok(models.length > 8 && models.every(id => id.startsWith('claude-')));
      assert.equal(new Set(models).size, models.length);
      assert.equal((await client.models.retrieve(model)).display_name, 'Claude Sonnet 4.6 (emulated)');
      await assert.rejects(client.models.retrieve('no-such-model'), sdk.errors.NotFoundError);
    });

    it('creates a plain message', async () => {
      const message = await client.createMessage({ model, max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] });
      assert.deepEqual(message.content, [{ type: 'text', text: 'Emulated answer to: Hello', citations: null }]);
      assert.equal(message.stop_reason, 'end_turn');
      assert.ok(message._request_id?.startsWith('req_'));
    });

    it('counts the tokens of a message, with and without a beta header', async () => {
      for (const count of client.countTokens) {
        const of = async (content: string) => (await count({ model, messages: [{ role: 'user', content }] })).input_tokens;
        assert.ok((await of('Hello')) < (await of('Hello '.repeat(100))));
      }
    });

    it('creates and lists a batch without a beta header', async () => {
      const { id } = await client.stableBatches.create({ requests: requests(2) });
      assert.equal((await client.stableBatches.retrieve(id)).id, id);
      assert.equal((await client.stableBatches.list({ limit: 2 })).data[0]?.id, id);
    });

    it('streams a message whose deltas add up to the plain one', async () => {
      const stream = client.streamMessage({ model, max_tokens: 500, messages: [{ role: 'user', content: 'Hello [emulate: long 900]' }] });
      let pieces = 0;
      let text = '';
      stream.on('text', piece => {
        pieces++;
        text += piece;
      });
      const message = await stream.finalMessage();
      assert.ok(pieces > 10);
      assert.equal(text.length, 900);
      assert.deepEqual(message.content, [{ type: 'text', text, citations: null }]);
      assert.equal(message.stop_reason, 'end_turn');
    });

    it('streams a tool call whose input the SDK assembles', async () => {
      const message = await client
        .streamMessage({
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

    it('throws the error class of each failure', async () => {
      const hello = { model, max_tokens: 10, messages: [{ role: 'user' as const, content: 'Hello' }] };
      const stranger = sdk.connect(emulator.url, 'wrong');
      await assert.rejects(stranger.createMessage(hello), sdk.errors.AuthenticationError);
      await assert.rejects(client.batches.create({ requests: [] }), sdk.errors.BadRequestError);
      await assert.rejects(client.createMessage({ ...hello, max_tokens: -1 }), sdk.errors.BadRequestError);
      emulator.setScenario({ faults: [{ name: 'rateLimit', times: 1 }] });
      await assert.rejects(client.createMessage(hello), sdk.errors.RateLimitError);
      emulator.setScenario({ faults: [{ name: 'overloaded', times: 1 }] });
      await assert.rejects(client.createMessage(hello), sdk.errors.InternalServerError);
    });
  });
}
