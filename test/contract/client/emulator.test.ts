import assert from 'node:assert/strict';
import { type DialectName, dialects } from '../../../src/client/dialect';
import { probeService } from '../../../src/client/probe';
import type { ServiceClient } from '../../../src/client/serviceClient';
import { listAll } from '../../../src/client/transport/pagination';
import type { StreamedBody } from '../../../src/contract/streamedBody';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { contractClient } from '../../helpers/emulatorClient';

const names: readonly DialectName[] = ['contract', 'anthropic-2023', 'anthropic-2026'];

for (const name of names) {
  describe(`client against the emulator that speaks ${name}`, () => {
    let emulator: Emulator;
    let client: ServiceClient;
    const connect = (userProfileId?: string) =>
      contractClient(emulator, {
        auth: dialects[name].defaultAuth,
        dialect: dialects[name],
        ...(userProfileId === undefined ? {} : { userProfileId }),
      });

    before(async () => {
      emulator = await startEmulator({ dialect: name, scenario: { batchDuration: 50, streamPause: 1 } });
      client = connect();
    });
    after(async () => {
      await client.close();
      await emulator.stop();
    });

    function requests(count: number, more: object = {}): StreamedBody {
      const model = `${dialects[name].modelPrefix}opus-4-8`;
      const one = (index: number) => ({
        custom_id: `r${index}`,
        params: { model, max_tokens: 16, messages: [{ role: 'user', content: 'hi' }], ...more },
      });
      const bytes = Buffer.from(JSON.stringify({ requests: Array.from({ length: count }, (_, index) => one(index)) }));
      return {
        byteLength: bytes.length,
        async *open() {
          yield bytes;
        },
      };
    }

    it('creates, lists, retrieves and deletes a batch and reads its results', async () => {
      const { data: created, requestId } = await client.batches.create(requests(3));
      assert.ok(requestId);
      let batch = created;
      while (batch.processing_status !== 'ended') {
        batch = (await client.batches.retrieve(created.id)).data;
      }
      assert.equal(batch.request_counts.processing, 0);
      const parts: Uint8Array[] = [];
      for await (const part of (await client.batches.results(created.id)).body) {
        parts.push(part);
      }
      const lines = Buffer.concat(parts).toString().trimEnd().split('\n');
      assert.deepEqual(lines.map(line => (JSON.parse(line) as { custom_id: string }).custom_id).sort(), ['r0', 'r1', 'r2']);
      await client.batches.create(requests(1));
      const ids: string[] = [];
      for await (const { id } of listAll(options => client.batches.list(options), { limit: 1 })) {
        ids.push(id);
      }
      assert.equal(ids.at(-1), created.id);
      assert.equal(ids.length, 2);
      assert.equal((await client.batches.delete(created.id)).data.id, created.id);
    });

    it('streams a message to its end', async () => {
      const params = { model: `${dialects[name].modelPrefix}opus-4-8`, max_tokens: 16, messages: [{ role: 'user', content: 'hi' }] };
      const types: string[] = [];
      for await (const { type } of await client.messages.stream(params)) {
        types.push(type);
      }
      assert.deepEqual([types[0], types.at(-1)], ['message_start', 'message_stop']);
      assert.ok((await client.messages.create(params)).data.content.length > 0);
    });

    it('is detected by the probe', async () => {
      const result = await probeService({ baseUrl: emulator.url, key: emulator.key });
      // The emulator of the newer dialect also accepts requests of the older dialect, so the probe may report either.
      const expected: readonly (DialectName | undefined)[] = name === 'anthropic-2026' ? [name, 'anthropic-2023'] : [name];
      assert.ok(expected.includes(result.dialect), result.dialect);
      assert.equal(result.failure, undefined);
      assert.deepEqual(
        [result.groups.get('batches'), result.groups.get('models'), result.groups.get('agents')],
        ['served', 'served', 'served'],
      );
      assert.equal((await probeService({ baseUrl: emulator.url, key: 'wrong-key' })).failure?.kind, 'authentication');
    });

    it('attributes a batch to a user profile, which a request must not contradict', async () => {
      const attributed = connect('profile_1');
      try {
        await attributed.batches.create(requests(1));
        await attributed.batches.create(requests(1, { user_profile_id: 'profile_1' }));
        const other = attributed.batches.create(requests(1, { user_profile_id: 'profile_2' }));
        await assert.rejects(other, { kind: 'invalid_request' });
      } finally {
        await attributed.close();
      }
    });
  });
}
