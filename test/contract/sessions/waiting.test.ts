import assert from 'node:assert/strict';
import type { ServiceClient } from '../../../src/client/serviceClient';
import { serverStyleNames } from '../../../src/emulator/http/serverStyle';
import type { Emulator } from '../../../src/emulator/server';
import { nextAskLog } from '../../../src/features/sessions/facts/askLog';
import { type OpenAsk, openAsks } from '../../../src/features/sessions/facts/openAsks';
import { describeRest } from '../../../src/shared/session/facts/sessionState';
import { restOf } from '../../../src/shared/session/facts/turn';
import { newestOf, startSessionService } from './startSessionService';

for (const serverStyle of serverStyleNames) {
  describe(`open asks in sessions of a service like ${serverStyle}`, () => {
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

    const say = async (sessionId: string, ...events: object[]) => {
      await client.sessions.send(sessionId, events);
      await emulator.advanceClock(0);
    };
    const begin = async (text: string) => {
      const { data } = await client.sessions.create(start);
      await say(data.id, { type: 'user.message', content: [{ type: 'text', text }] });
      return data.id;
    };
    const waiting = async (sessionId: string): Promise<readonly OpenAsk[]> => {
      const { events } = await newestOf(client, sessionId);
      return openAsks(events);
    };
    const answer = ({ kind, eventId }: OpenAsk) =>
      kind === 'customTool'
        ? { type: 'user.custom_tool_result', custom_tool_use_id: eventId, content: [{ type: 'text', text: '3' }] }
        : { type: 'user.tool_confirmation', tool_use_id: eventId, result: 'allow' };
    const described = (asks: readonly OpenAsk[]) => asks.map(({ kind, tool, input }) => `${kind} ${tool} ${JSON.stringify(input)}`);

    it('lists no asks while an agent answers', async () => {
      assert.deepEqual(await waiting(await begin('hello')), []);
    });

    it('lists one permission with tool and arguments, until it is given', async () => {
      const id = await begin('ask make clean');
      const asks = await waiting(id);
      assert.deepEqual(described(asks), ['confirmation bash {"command":"make clean"}']);
      await say(id, ...asks.map(answer));
      assert.deepEqual(await waiting(id), []);
    });

    it('lists two permissions, then one, then none', async () => {
      const id = await begin('two');
      const [first, second, ...others] = await waiting(id);
      assert.ok(first !== undefined && second !== undefined && others.length === 0);
      await say(id, answer(first));
      assert.deepEqual(
        (await waiting(id)).map(({ eventId }) => eventId),
        [second.eventId],
      );
      await say(id, answer(second));
      assert.deepEqual(await waiting(id), []);
    });

    it('lists one custom tool result, whether or not the service reports it', async () => {
      const id = await begin('price of tea');
      const asks = await waiting(id);
      assert.deepEqual(described(asks), ['customTool get_price {"item":"tea"}']);
      await say(id, ...asks.map(answer));
      assert.deepEqual(await waiting(id), []);
    });

    it("include a sub-agent's asks", async () => {
      const id = await begin('delegate ask tidy up');
      const asks = await waiting(id);
      assert.equal(asks.length, 1);
      await say(id, ...asks.map(answer));
      assert.deepEqual(await waiting(id), []);
    });

    it('lists no asks after an interrupt', async () => {
      const id = await begin('two');
      await say(id, { type: 'user.interrupt' });
      assert.deepEqual(await waiting(id), []);
    });

    it('lists no asks once the session idles, with the reason', async () => {
      const wordsOf = async (id: string) => {
        return describeRest(restOf(nextAskLog(undefined, await newestOf(client, id)).turn), text => text);
      };
      assert.equal(await wordsOf(await begin('hello')), 'done');
      assert.equal(await wordsOf(await begin('fail')), 'The model request failed after 3 attempts.');
      assert.equal(await wordsOf(await begin('two')), '');
      const { data } = await client.sessions.create(start);
      const outcome = { description: 'first of all', max_iterations: 2, rubric: { type: 'text', content: 'All tests pass' } };
      await say(data.id, { type: 'user.define_outcome', ...outcome });
      assert.equal(await wordsOf(data.id), 'outcome satisfied');
    });

    it('lists no asks after the session ended', async () => {
      assert.deepEqual(await waiting(await begin('terminate')), []);
    });
  });
}
