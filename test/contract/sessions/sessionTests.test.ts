import assert from 'node:assert/strict';
import { watchEvents } from '../../../src/client/events/eventStream';
import type { ServiceClient } from '../../../src/client/serviceClient';
import { clientClock } from '../../../src/client/transport/retryPolicy';
import { serverStyleNames } from '../../../src/emulator/http/serverStyle';
import type { Emulator } from '../../../src/emulator/server';
import { readWholeLog } from '../../../src/features/sessions/facts/wholeLog';
import { compareCalls } from '../../../src/features/sessions/testing/compareCalls';
import { recordTest } from '../../../src/features/sessions/testing/recordTest';
import { SessionTestRun, type TestOutcome } from '../../../src/features/sessions/testing/sessionTestRun';
import { readTest, type SessionTest } from '../../../src/features/sessions/testing/testDocument';
import { turns, until } from '../../helpers/until';
import { startSessionService } from './startSessionService';

const t = (message: string, ...args: (string | number)[]) => message.replace(/\{(\d)\}/g, (_, at) => String(args[Number(at)]));
const never = new AbortController().signal;

for (const serverStyle of serverStyleNames) {
  describe(`tests of sessions on a service like ${serverStyle}${serverStyle === 'vendor' ? '' : ' @ci'}`, () => {
    let emulator: Emulator;
    let client: ServiceClient;
    let agents: ReadonlyMap<string, string>;
    let environment: string;
    let told: string[];

    before(async () => {
      ({ emulator, client } = await startSessionService(serverStyle));
      agents = new Map((await client.agents.list()).items.map(({ id, name }) => [name ?? '', id]));
      environment = (await client.environments.list()).items[0]?.id ?? '';
    });
    beforeEach(() => {
      told = [];
    });
    afterEach(() => emulator.setScenario({ faults: [] }));
    after(async () => {
      await client.close();
      await emulator.stop();
    });

    const eventsOf = (id: string) => readWholeLog(client.sessions.events(id), never, () => undefined);
    const newest = async () => {
      const [session] = (await client.sessions.list({ includeArchived: true, order: 'desc' })).items;
      return session ?? assert.fail('there is no session');
    };
    const send = async (id: string, event: object) => {
      await client.sessions.send(id, [event]);
      await emulator.advanceClock(0);
    };
    /** Runs a session, answers its price questions and its asks, and creates a test from its log. */
    const record = async (agent: string, messages: readonly string[], decision: 'allow' | 'deny' = 'allow'): Promise<SessionTest> => {
      const { data } = await client.sessions.create({ agent: agents.get(agent) ?? '', environment_id: environment });
      for (const text of messages) {
        await send(data.id, { type: 'user.message', content: [{ type: 'text', text }] });
        const call = (await eventsOf(data.id)).findLast(({ type }) => type.endsWith('tool_use'));
        if (call?.type === 'agent.custom_tool_use') {
          const content = [{ type: 'text', text: `price of ${JSON.stringify(call.input)}` }];
          await send(data.id, { type: 'user.custom_tool_result', custom_tool_use_id: call.id, content, is_error: false });
        } else if (call?.evaluated_permission === 'ask') {
          await send(data.id, { type: 'user.tool_confirmation', tool_use_id: call.id, result: decision });
        }
      }
      const { data: session } = await client.sessions.retrieve(data.id);
      const { test, problems } = readTest(recordTest(session, await eventsOf(data.id), { version: 'latest', connection: 'Lab' }).text, t);
      assert.deepEqual(problems, []);
      return test ?? assert.fail('there is no test');
    };
    const run = (test: SessionTest, options: { isEmulator?: boolean; signal?: AbortSignal; sessions?: ServiceClient['sessions'] } = {}) =>
      new SessionTestRun(test, {
        sessions: client.sessions,
        isEmulator: true,
        title: 'Test',
        signal: never,
        lifetime: never,
        watch: watchEvents,
        sleep: clientClock.sleep,
        report: line => told.push(line),
        t,
        locale: 'en',
        ...options,
      }).run();
    const differences = (test: SessionTest, outcome: TestOutcome) => {
      assert.equal(outcome.stopped, undefined, String(outcome.stopped));
      return compareCalls(test.calls, outcome.calls, test.compare);
    };
    const stopOf = ({ stopped }: TestOutcome) =>
      stopped === undefined || stopped === 'cancelled' ? assert.fail(String(stopped)) : stopped;

    it('reruns a recording, answers custom tools by their arguments, and archives the session', async () => {
      const test = await record('Shopkeeper', ['price tea', 'price milk']);
      assert.deepEqual(test.messages, ['price tea', 'price milk']);
      assert.deepEqual(
        test.answers.map(({ tool }) => tool),
        ['get_price', 'get_price'],
      );
      const reversed = { ...test, answers: test.answers.toReversed() };
      assert.deepEqual(differences(reversed, await run(reversed)), []);
      const session = await newest();
      assert.equal(session.title, 'Test');
      assert.ok(session.archived_at);
      const prices = (await eventsOf(session.id)).filter(({ type }) => type === 'user.custom_tool_result').map(({ content }) => content);
      assert.deepEqual(
        prices,
        test.answers.map(({ content }) => content),
      );
      assert.equal(told.filter(line => / returns /.test(line)).length, 2);
    });

    it('keeps the session if the test says so, and answers in order if the arguments differ', async () => {
      const test = { ...(await record('Shopkeeper', ['price tea'])), messages: ['price milk'], afterwards: 'keep' as const };
      const outcome = await run(test);
      assert.deepEqual(differences(test, outcome), [{ kind: 'changed', expected: 0, actual: 0 }]);
      assert.deepEqual(outcome.calls[0]?.input, { item: 'milk' });
      assert.equal((await newest()).archived_at ?? undefined, undefined);
      assert.ok(told.some(line => line.includes('None was recorded with these arguments')));
    });

    it('reports a changed argument and a missing call', async () => {
      const recorded = await record('Coordinator', ['bash ls', 'read a.txt']);
      const test = { ...recorded, messages: ['bash ls -a', 'think'] };
      assert.deepEqual(differences(test, await run(test)), [
        { kind: 'changed', expected: 0, actual: 0 },
        { kind: 'missing', expected: 1 },
      ]);
    });

    it('stops at once if a custom tool has no recorded answer, and leaves nothing waiting', async () => {
      const test = { ...(await record('Shopkeeper', ['price tea'])), answers: [], afterwards: 'keep' as const };
      const stop = stopOf(await run(test));
      assert.match(stop.message, /The test has no recorded result for this call of get_price/);
      assert.deepEqual(stop.path, ['answers']);
      const events = await eventsOf((await newest()).id);
      assert.equal(events.filter(({ type }) => type === 'user.interrupt').length, 1);
    });

    for (const decision of ['allow', 'deny'] as const) {
      it(`repeats the recorded decision on the emulator: ${decision}`, async () => {
        const test = await record('Careful Operator', ['ask make clean'], decision);
        assert.deepEqual(
          test.decisions.map(one => [one.tool, one.decision]),
          [['bash', decision]],
        );
        assert.deepEqual(differences(test, await run(test)), []);
        const events = await eventsOf((await newest()).id);
        assert.equal(events.find(({ type }) => type === 'user.tool_confirmation')?.result, decision);
      });
    }

    it("answers a sub-agent's asks, and compares only calls of the session's agent", async () => {
      const test = await record('Coordinator', ['delegate ask look around']);
      assert.deepEqual(
        test.decisions.map(({ tool }) => tool),
        ['grep'],
      );
      assert.deepEqual(test.calls, []);
      assert.deepEqual(differences(test, await run(test)), []);
    });

    for (const [word, words] of [
      ['fail', /The model failed/],
      ['terminate', /ended before the test did/],
    ] as const) {
      it(`reports that the session ended differently, and interrupts nothing: ${word}`, async () => {
        const test = { ...(await record('Coordinator', ['think'])), messages: [word] };
        assert.match(stopOf(await run(test)).message, words);
        const { id, archived_at } = await newest();
        assert.ok(archived_at);
        assert.equal((await eventsOf(id)).filter(({ type }) => type === 'user.interrupt').length, 0);
      });
    }

    it('starts nothing on a service without a budget', async () => {
      const test = await record('Coordinator', ['bash ls']);
      const before = (await newest()).id;
      const stop = stopOf(await run(test, { isEmulator: false }));
      assert.match(stop.message, /Add a "budget" in US dollars/);
      assert.deepEqual(stop.path, ['budget']);
      assert.equal((await newest()).id, before);
    });

    if (serverStyle === 'vendor') {
      it('runs on a service with a budget', async () => {
        const test = { ...(await record('Coordinator', ['bash ls'])), budget: 50, afterwards: 'keep' as const };
        assert.deepEqual(differences(test, await run(test, { isEmulator: false })), []);
        assert.deepEqual((await newest()).budget, { type: 'limit', max_list_cost: { amount: '50', currency: 'USD' } });
      });

      it('decides nothing on a service unless the test says so', async () => {
        const test = { ...(await record('Careful Operator', ['ask make clean'])), budget: 50, afterwards: 'keep' as const };
        const stop = stopOf(await run(test, { isEmulator: false }));
        assert.deepEqual(stop.path, ['decide_on_service']);
        const events = await eventsOf((await newest()).id);
        assert.equal(
          events.some(({ type }) => type === 'user.tool_confirmation'),
          false,
        );
        const willing = { ...test, decidesOnService: true };
        assert.deepEqual(differences(willing, await run(willing, { isEmulator: false })), []);
        const other = { ...willing, messages: ['ask rm -rf /'] };
        assert.deepEqual(stopOf(await run(other, { isEmulator: false })).path, ['decisions', 0]);
      });
    } else {
      it('sends no messages to a service that ignores the budget', async () => {
        const test = { ...(await record('Coordinator', ['bash ls'])), budget: 50 };
        const before = (await newest()).id;
        assert.match(stopOf(await run(test, { isEmulator: false })).message, /budget/);
        const { id } = await newest();
        // The service refused the session, or created one without a budget.
        const said = id === before ? [] : (await eventsOf(id)).filter(({ type }) => type === 'user.message');
        assert.deepEqual(said, []);
      });
    }

    it('interrupts the session when the test is canceled, and archives it', async () => {
      const test = { ...(await record('Coordinator', ['think'])), messages: ['slow 86400'] };
      const cancel = new AbortController();
      const running = run(test, { signal: cancel.signal });
      await until(() => told.length > 0);
      const { id } = await newest();
      while (!(await eventsOf(id)).some(({ type }) => type === 'user.message')) {
        await new Promise(resolve => setImmediate(resolve));
      }
      cancel.abort();
      const outcome = await running;
      assert.equal(outcome.stopped, 'cancelled');
      assert.deepEqual((await eventsOf(id)).filter(({ type }) => type === 'user.interrupt').length, 1);
      assert.ok((await client.sessions.retrieve(id)).data.archived_at);
    });

    it('interrupts after a message that is being sent when the test is canceled', async () => {
      const test = { ...(await record('Coordinator', ['think'])), messages: ['slow 86400'] };
      const cancel = new AbortController();
      let release = (): void => assert.fail('nothing is on its way');
      let isHeld = false;
      const sessions: typeof client.sessions = {
        ...client.sessions,
        send: async (...args) => {
          if (!isHeld) {
            isHeld = true;
            await new Promise<void>(resolve => {
              release = resolve;
            });
          }
          return await client.sessions.send(...args);
        },
      };
      const running = run(test, { signal: cancel.signal, sessions });
      await until(() => isHeld);
      cancel.abort();
      await turns(20);
      release();
      assert.equal((await running).stopped, 'cancelled');
      const { id, archived_at } = await newest();
      assert.ok(archived_at);
      const sent = (await eventsOf(id)).map(({ type }) => type).filter(type => type.startsWith('user.'));
      assert.deepEqual(sent, ['user.message', 'user.interrupt']);
    });

    it("ends at its limit if the agent doesn't stop", async () => {
      const test = { ...(await record('Coordinator', ['think'])), messages: ['slow 86400'], limitSeconds: 0.05 };
      const stop = stopOf(await run(test));
      assert.deepEqual(stop.path, ['limit_seconds']);
      assert.equal((await newest()).status, 'idle');
    });

    it('survives a stream that is cut and a response that is lost', async () => {
      const test = await record('Shopkeeper', ['price tea', 'price milk']);
      emulator.setScenario({
        faults: [
          { name: 'cutStream', count: 2, times: 2 },
          { name: 'lostReplyAfterCommit', route: 'sessions.events.send', times: 1 },
        ],
      });
      assert.deepEqual(differences(test, await run(test)), []);
      const events = await eventsOf((await newest()).id);
      assert.equal(events.filter(({ type }) => type === 'user.message').length, 2);
      assert.equal(events.filter(({ type }) => type === 'user.custom_tool_result').length, 2);
    });

    it('reports that the session may or may not have started, and starts no second one', async () => {
      const test = await record('Coordinator', ['bash ls']);
      const starts = () => emulator.requests.filter(({ method, path }) => method === 'POST' && /\/sessions(?:\?|$)/.test(path)).length;
      const before = starts();
      emulator.setScenario({ faults: [{ name: 'lostReplyAfterCommit', route: 'sessions.create', times: 1 }] });
      assert.match(stopOf(await run(test)).message, /A session may have been started/);
      assert.equal(starts() - before, 1);
    });

    it("reports a message that wasn't delivered, and doesn't send it again", async () => {
      const test = await record('Coordinator', ['bash ls']);
      const sleep = async () => undefined;
      emulator.setScenario({ faults: [{ name: 'lostReplyBeforeCommit', route: 'sessions.events.send', times: 1 }] });
      const sends = () => emulator.requests.filter(({ method, path }) => method === 'POST' && /\/events(?:\?|$)/.test(path)).length;
      const before = sends();
      const hold = clientClock.sleep;
      const outcome = await new SessionTestRun(test, {
        sessions: client.sessions,
        isEmulator: true,
        title: 'Test',
        signal: never,
        lifetime: never,
        watch: watchEvents,
        // Poll delays end immediately. The time limit of the test is never reached.
        sleep: (milliseconds, signal) => (milliseconds > 100_000 ? hold(milliseconds, signal) : sleep()),
        report: line => told.push(line),
        t,
        locale: 'en',
      }).run();
      assert.match(stopOf(outcome).message, /Message 1 was not sent/);
      // One message and one interrupt were sent.
      assert.equal(sends() - before, 2);
    });
  });
}
