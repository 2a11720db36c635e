import assert from 'node:assert/strict';
import type { ServiceClient } from '../../../src/client/serviceClient';
import type { SessionReference } from '../../../src/contributions';
import type { Fault } from '../../../src/emulator/faults';
import type { Emulator } from '../../../src/emulator/server';
import type { Connection } from '../../../src/features/connection/connection';
import { FollowedSessions } from '../../../src/features/sessions/list/followedSessions';
import { SessionListing, SessionStore } from '../../../src/features/sessions/list/sessionStore';
import { SessionWatcher } from '../../../src/features/sessions/list/sessionWatcher';
import { MemoryMemento } from '../../unit/features/sessions/memoryMemento';
import { startSessionService } from './startSessionService';

/** Services with and without the filter. Unit tests cover services without it, so their tests here only run from `.ci/run` on. */
const services: readonly (readonly [string, readonly Fault[]])[] = [
  ['takes a filter by states', []],
  ['refuses a filter by states', [{ name: 'noStatusFilter' }]],
  ['takes no notice of a filter by states', [{ name: 'noStatusFilter', status: 200 }]],
];

for (const [what, faults] of services) {
  describe(`300 sessions of a service that ${what}, with asks in the oldest${faults.length === 0 ? '' : ' @ci'}`, () => {
    let emulator: Emulator;
    let client: ServiceClient;
    let now = 0;
    let store: SessionStore;
    let watcher: SessionWatcher;
    let followed: FollowedSessions;
    /** Sessions that waited at the last poll. */
    let pinned: readonly SessionReference[] = [];
    const waiting: string[] = [];
    let running = '';

    before(async () => {
      ({ emulator, client } = await startSessionService());
      const agent = (await client.agents.list()).items.find(({ name }) => name === 'Careful Operator')?.id ?? '';
      const environment_id = (await client.environments.list()).items[0]?.id ?? '';
      const begin = async (text: string) => {
        const { data } = await client.sessions.create({ agent, environment_id });
        await client.sessions.send(data.id, [{ type: 'user.message', content: [{ type: 'text', text }] }]);
        return data.id;
      };
      running = await begin('slow 3600');
      for (let number = 0; number < 5; number++) {
        waiting.push(await begin('ask make clean'));
      }
      for (let number = 0; number < 294; number++) {
        await client.sessions.create({ agent, environment_id });
      }
      await emulator.advanceClock(0);
      emulator.setScenario({ faults: [...faults] });
    });
    after(async () => {
      await client.close();
      await emulator.stop();
    });

    beforeEach(() => {
      now = 0;
      pinned = [];
      const connection = { name: 'A', baseUrl: emulator.url, isEmulator: false } as Connection;
      // All sessions started a while ago, because recent changes are read twice.
      const clock = { now: () => Date.now() + 60_000 + now, monotonic: () => now };
      followed = new FollowedSessions(new MemoryMemento());
      store = new SessionStore(
        clock,
        () => [],
        () => [...followed.all(), ...pinned],
      );
      store.reset('A');
      watcher = new SessionWatcher({
        connections: { current: connection, access: 'A 1', state: 'ready', find: name => (name === 'A' ? connection : undefined) },
        reach: async () => client,
        store,
        listing: new SessionListing(store),
        followed,
        isWatched: () => true,
        isUsed: () => true,
        isTrusted: () => true,
        isReachable: () => true,
        isOpen: () => false,
        onPolled: () => undefined,
        warn: message => assert.fail(message),
        clock,
      });
    });

    const round = async () => {
      now += (await watcher.poll(new AbortController().signal)) ?? assert.fail('nothing to look after');
    };
    /** Polls until everything is known. Returns the elapsed minutes. */
    const untilKnown = async (): Promise<number> => {
      const began = now;
      while (store.coverage.isPart) {
        assert.ok(now - began < 10 * 60_000, 'still not known after ten minutes');
        await round();
      }
      return (now - began) / 60_000;
    };
    const inState = (state: string) =>
      store
        .sessions()
        .filter(listed => listed.state === state)
        .map(({ session }) => session.id);
    const requests = () => emulator.requests.length;

    it('finds all five behind three pages, and reports how many sessions it has read', async () => {
      await round();
      assert.equal(store.coverage.isPart, true);
      assert.ok(store.coverage.known < 300);
      const minutes = await untilKnown();
      assert.deepEqual(inState('waiting').sort(), [...waiting].sort());
      assert.deepEqual(store.waiting().length, 5);
      assert.deepEqual(inState('running'), [running]);
      assert.deepEqual(store.coverage, { known: 300, isPart: false, reach: 'whole' });
      // The list doesn't load idle sessions after its first page.
      assert.ok(store.sessions().length < 300);
      assert.ok(minutes < 1, `known after ${minutes} minutes`);
    });

    it('stays within its budget of calls a minute', async () => {
      const before = requests();
      while (now < 5 * 60_000) {
        await round();
      }
      assert.ok(requests() - before <= 360 + 5 * 120 + 30, `${requests() - before} requests in five minutes`);
    });

    it('removes sessions that were archived, deleted or answered after one refresh', async () => {
      await untilKnown();
      const [archived = '', deleted = '', answered = '', ...still] = waiting;
      await client.sessions.send(archived, [{ type: 'user.interrupt' }]);
      await client.sessions.send(answered, [{ type: 'user.interrupt' }]);
      await emulator.advanceClock(0);
      await client.sessions.archive(archived);
      await client.sessions.delete(deleted);
      watcher.forgetWait();
      await round();
      await round();
      assert.deepEqual(inState('waiting').sort(), [...still].sort());
      assert.equal(store.find({ connection: 'A', sessionId: deleted }), undefined);
      waiting.splice(0, 3);
    });

    it('checks those first that waited last time', async () => {
      pinned = waiting.map(sessionId => ({ connection: 'A', sessionId }));
      const before = requests();
      while (inState('waiting').length < waiting.length) {
        await round();
      }
      assert.ok(requests() - before < 100, `${requests() - before} requests`);
      assert.equal(store.coverage.isPart, true);
    });

    it('always shows a followed session, and one that was opened by its ID', async () => {
      const [oldest = ''] = [running];
      const other = (await client.sessions.list({ order: 'asc', limit: 30 })).items.at(-1)?.id ?? '';
      await followed.follow({ connection: 'A', sessionId: other }, Date.now());
      await followed.end({ connection: 'A', sessionId: other });
      await untilKnown();
      assert.ok(inState('idle').includes(other));
      assert.ok(inState('running').includes(oldest));
    });
  });
}
