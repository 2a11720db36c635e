import assert from 'node:assert/strict';
import type { ServiceClient } from '../../../src/client/serviceClient';
import { serverStyleNames } from '../../../src/emulator/http/serverStyle';
import type { Emulator } from '../../../src/emulator/server';
import { compareRead, readSession } from '../../../src/features/sessions/comparing/comparedSessions';
import { startSessionService } from './startSessionService';

const never = new AbortController().signal;

for (const serverStyle of serverStyleNames) {
  describe(`sessions compared of a service like ${serverStyle}`, () => {
    let emulator: Emulator;
    let client: ServiceClient;
    let start: { readonly agent: string; readonly environment_id: string };

    before(async () => {
      ({ emulator, client, start } = await startSessionService(serverStyle));
    });
    after(async () => {
      await client.close();
      await emulator.stop();
    });

    const talk = async (...texts: readonly string[]): Promise<string> => {
      const { data } = await client.sessions.create(start);
      for (const text of texts) {
        await client.sessions.send(data.id, [{ type: 'user.message', content: [{ type: 'text', text }] }]);
        await emulator.advanceClock(0);
      }
      return data.id;
    };
    const read = (sessionId: string, onRead: (count: number) => void = () => undefined) =>
      readSession(client.sessions, { connection: 'Lab', sessionId }, never, onRead);

    it('finds no differences between two sessions that did the same, and reads both completely', async () => {
      const counts: number[] = [];
      const one = await read(await talk('hello', 'delegate look around'), count => void counts.push(count));
      const other = await read(await talk('hello', 'delegate look around'));
      const { lists, sides } = await compareRead(one, other, never);
      assert.deepEqual(
        lists.differs.map(({ kind, one: a, other: b, differences }) => [kind, a, b, differences]),
        [],
      );
      assert.equal(sides[0].turns.length, 2);
      assert.equal(counts.at(-1), one.log.events.length);
    });

    it('finds the turn that only one has, and the message that differs', async () => {
      const one = await read(await talk('hello', 'think about it'));
      const other = await read(await talk('hello', 'ask make clean', 'think about it'));
      const { lists } = await compareRead(one, other, never);
      assert.deepEqual(
        lists.turns.filter(({ differences }) => differences.includes('onlyB')).map(({ turns }) => turns),
        [[undefined, 1]],
      );
    });

    it("reads an archived session, and reports the service's error for a deleted one", async () => {
      const id = await talk('hello');
      await client.sessions.archive(id);
      assert.equal((await read(id)).view.state, 'archived');
      await client.sessions.delete(id);
      await assert.rejects(read(id), { status: 404 });
    });

    it('stops when it is canceled', async () => {
      const canceled = new AbortController();
      canceled.abort();
      const id = await talk('hello');
      await assert.rejects(readSession(client.sessions, { connection: 'Lab', sessionId: id }, canceled.signal, () => undefined));
      const whole = await read(id);
      await assert.rejects(compareRead(whole, whole, canceled.signal), { name: 'AbortError' });
    });
  });
}
