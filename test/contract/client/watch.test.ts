import assert from 'node:assert/strict';
import { dialects } from '../../../src/client/dialect';
import type { EventLog, SessionEvent } from '../../../src/client/events/eventLog';
import { watchEvents } from '../../../src/client/events/eventStream';
import type { WatchState, WatchUpdate } from '../../../src/client/events/watchUpdates';
import { createServiceClient, type ServiceClient } from '../../../src/client/serviceClient';
import { listAll } from '../../../src/client/transport/pagination';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { turns } from '../../helpers/until';
import { Transcript } from '../../unit/client/fakeEventLog';

/** Returns whether an event of this type only occurs in a faulty stream. */
const isForeign = (type: string) => type === 'vendor.never_heard_of' || type === 'vendor.huge';

const scenario = { sessionPause: 0, serverStyle: 'vendor', keepaliveSeconds: 0.2, faults: [] } as const;

describe('client: watching sessions of the emulator', () => {
  let emulator: Emulator;
  let client: ServiceClient;
  /** Client with a short timeout for silent streams. On a busy machine, a slow stream times out too. */
  let impatient: ServiceClient;
  const open: AbortController[] = [];

  before(async () => {
    emulator = await startEmulator({ scenario });
    const { url, key } = emulator;
    const options = {
      baseUrl: url,
      auth: 'x-api-key',
      dialect: dialects.contract,
      credential: async () => ({ key, origin: new URL(url).origin }),
      // Retries without a delay.
      random: () => 0,
    } as const;
    client = createServiceClient(options);
    impatient = createServiceClient({ ...options, timeouts: { streamSilence: 1000 } });
  });
  afterEach(() => {
    emulator.setScenario(scenario);
    for (const controller of open.splice(0)) {
      controller.abort();
    }
  });
  after(async () => {
    await client.close();
    await impatient.close();
    await emulator.stop();
  });

  async function newSession(): Promise<string> {
    const [agent] = (await client.agents.list()).items;
    const [environment] = (await client.environments.list()).items;
    return (await client.sessions.create({ agent: agent?.id ?? '', environment_id: environment?.id })).data.id;
  }

  async function say(id: string, text: string): Promise<void> {
    await client.sessions.send(id, [{ type: 'user.message', content: [{ type: 'text', text }] }]);
    await emulator.advanceClock(0);
  }

  /** Starts a watch whose delays are skipped. Returns functions to wait for its updates. */
  function watch(log: EventLog, previews?: readonly string[]) {
    const controller = new AbortController();
    open.push(controller);
    let now = 0;
    const transcript = new Transcript();
    const waiting = new Set<() => void>();
    const clock = {
      now: () => now,
      sleep: async (milliseconds: number, signal: AbortSignal) => {
        await turns(10);
        signal.throwIfAborted();
        now += milliseconds;
      },
    };
    const watched = watchEvents(log, { signal: controller.signal, clock, previews });
    const ended = (async () => {
      for await (const update of watched) {
        transcript.apply(update);
        for (const check of waiting) {
          check();
        }
      }
    })();
    const until = (isEnough: (seen: Transcript) => boolean) =>
      new Promise<void>((resolve, reject) => {
        const check = () => {
          if (isEnough(transcript)) {
            waiting.delete(check);
            resolve();
          }
        };
        waiting.add(check);
        ended.then(() => {
          check();
          reject(new Error(`The watch has ended: ${JSON.stringify(transcript.state)}`));
        }, reject);
        check();
      });
    return { transcript, until, ended, controller };
  }

  const isLive = ({ state }: Transcript) => state?.name === 'live';

  async function stored(log: EventLog): Promise<SessionEvent[]> {
    const events: SessionEvent[] = [];
    for await (const event of listAll(options => log.list({ ...options, order: 'asc' }), { limit: 1000 })) {
      events.push(event);
    }
    return events;
  }

  /** Asserts that the watch has exactly the events of the log, except for events that only streams have. */
  async function assertWhole(log: EventLog, transcript: Transcript): Promise<void> {
    const seen = transcript.events.filter(({ type }) => !isForeign(type) && type !== 'unreadable');
    assert.deepEqual(seen, await stored(log));
    assert.deepEqual(transcript.gaps, []);
  }

  const has = (count: number) => (seen: Transcript) =>
    seen.events.filter(({ type }) => !isForeign(type) && type !== 'unreadable').length >= count;

  it('yields history and new events, in every way in which services send them', async () => {
    for (const serverStyle of ['vendor', 'serverA', 'serverB'] as const) {
      emulator.setScenario({ serverStyle });
      const id = await newSession();
      const log = client.sessions.events(id);
      await say(id, 'think');
      const { until, transcript } = watch(log, ['agent.message', 'agent.thinking']);
      await until(isLive);
      await say(id, 'markdown');
      await until(has((await stored(log)).length));
      emulator.cutStreams();
      await say(id, 'steps 5');
      await until(has((await stored(log)).length));
      await until(isLive);
      await assertWhole(log, transcript);
      assert.ok(transcript.updates.some(({ type }) => type === 'previews'));
    }
  });

  it('loses nothing when streams are cut after any number of events or bytes, or repeat events', async () => {
    for (const fault of [
      { name: 'cutStream', count: 1 },
      { name: 'cutStream', count: 4 },
      { name: 'cutStream', bytes: 0 },
      { name: 'cutStream', bytes: 333 },
      { name: 'duplicateEvents', count: 1 },
      { name: 'cutResponse', bytes: 20, route: 'sessions.events.list', times: 5 },
      { name: 'serverError', route: 'sessions.events.list', times: 5 },
      { name: 'serverError', route: 'sessions.events.stream', times: 5 },
      { name: 'stall', route: 'sessions.events.stream', bytes: 50, times: 1 },
    ] as const) {
      const id = await newSession();
      const log = (fault.name === 'stall' ? impatient : client).sessions.events(id);
      await say(id, 'steps 3');
      emulator.setScenario({ faults: [fault] });
      const { until, transcript, controller } = watch(log);
      for (let count = 0; count < 6; count++) {
        await say(id, 'think');
      }
      await until(seen => seen.events.length > 10);
      emulator.setScenario({ faults: [] });
      emulator.cutStreams();
      await say(id, 'markdown');
      const all = (await stored(log)).length;
      await until(seen => has(all)(seen) && seen.gaps.length === 0);
      await assertWhole(log, transcript);
      controller.abort();
    }
  });

  it('yields unknown events, unreadable ones, and one of 10 MB', async () => {
    const id = await newSession();
    const log = client.sessions.events(id);
    emulator.setScenario({ faults: [{ name: 'unknownEvents' }, { name: 'brokenEvents' }, { name: 'hugeEvent' }] });
    const { until, transcript } = watch(log);
    await until(isLive);
    await say(id, 'unknown');
    const all = await stored(log);
    await until(has(all.length));
    const told = (type: string) => transcript.events.filter(event => event.type === type).length;
    // The stream repeats a queued event, and the faulty events after it too.
    await until(() => told('vendor.never_heard_of') >= all.length && told('unreadable') >= all.length);
    await assertWhole(log, transcript);
    const huge = transcript.events.find(({ type }) => type === 'vendor.huge');
    assert.equal(String(huge?.text).length, 10_000_000);
  });

  it('keeps up with a storm of 10,000 events whose stream is cut, in few updates', async () => {
    const id = await newSession();
    const log = client.sessions.events(id);
    const { until, transcript } = watch(log);
    await until(isLive);
    const batch = Array.from({ length: 500 }, () => ({ type: 'agent.message', content: [{ type: 'text', text: 'x'.repeat(100) }] }));
    for (let count = 0; count < 20; count++) {
      await emulator.appendEvents(id, batch);
      // One batch is read while the next one is written.
      await until(has(count * batch.length));
      if (count === 10) {
        emulator.cutStreams();
      }
    }
    await until(has(10_000));
    await until(isLive);
    await assertWhole(log, transcript);
    assert.equal(transcript.updates.filter(({ type }) => type === 'gap').length, 0);
    const sizes = transcript.updates.flatMap(update => (update.type === 'events' ? [update.events.length] : []));
    assert.ok(sizes.length < 2000, `${sizes.length} updates`);
  });

  it('ends when the session is deleted, even if the service keeps the stream open', async () => {
    for (const serverStyle of ['vendor', 'serverA'] as const) {
      emulator.setScenario({ serverStyle });
      const id = await newSession();
      const { until, transcript, ended } = watch(client.sessions.events(id));
      await until(isLive);
      await client.sessions.delete(id);
      await ended;
      assert.deepEqual(transcript.state, { name: 'ended', reason: 'deleted' } satisfies WatchState);
      assert.equal(transcript.events.at(-1)?.type, 'session.deleted');
    }
    await untilNoStreams();
  });

  async function untilNoStreams(): Promise<void> {
    while (emulator.openStreams > 0) {
      await new Promise(resolve => setImmediate(resolve));
    }
  }

  it('reports a missing session, and keeps watching an archived one', async () => {
    const missing = watch(client.sessions.events('sesn_none'));
    await missing.ended;
    assert.ok(missing.transcript.state?.name === 'ended' && missing.transcript.state.reason === 'unsupported');
    emulator.setScenario({ faults: [{ name: 'notFound', route: 'sessions.events.stream' }] });
    const id = await newSession();
    await say(id, 'markdown');
    const streamless = watch(client.sessions.events(id));
    await streamless.ended;
    await assertWhole(client.sessions.events(id), streamless.transcript);
    emulator.setScenario({ faults: [] });
    const { until, transcript, controller, ended } = watch(client.sessions.events(id));
    await until(isLive);
    await client.sessions.archive(id);
    await client.sessions.events(id).list();
    assert.equal(transcript.state?.name, 'live');
    controller.abort();
    await ended;
    await untilNoStreams();
  });

  it('watches a thread by its own paths', async () => {
    const id = await newSession();
    await say(id, 'delegate');
    const child = (await client.sessions.listThreads(id)).items.find(({ parent_thread_id: parent }) => parent !== null);
    const log = client.sessions.threadEvents(id, child?.id ?? '');
    const { until, transcript } = watch(log);
    await until(isLive);
    const updates: WatchUpdate['type'][] = transcript.updates.map(({ type }) => type);
    assert.ok(updates.includes('events'));
    emulator.cutStreams();
    await emulator.appendEvents(id, [{ type: 'agent.message', content: [] }], child?.id);
    await until(has((await stored(log)).length));
    await assertWhole(log, transcript);
  });
});
