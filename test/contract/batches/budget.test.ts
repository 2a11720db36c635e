import assert from 'node:assert/strict';
import type { ServiceClient } from '../../../src/client/serviceClient';
import { ServiceError } from '../../../src/client/transport/errors';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { BatchStore } from '../../../src/features/batches/batchStore';
import { BatchWatcher } from '../../../src/features/batches/watching/batchWatcher';
import type { Connection } from '../../../src/features/connection';
import type { Submission } from '../../../src/features/ledger';
import { batchOf, call, contractClient } from '../../helpers/emulatorClient';
import { MemoryRegistry } from '../../helpers/memoryRegistry';
import { runs } from '../../helpers/runs';

/** More than the budget per minute, and more than a page of the list. */
const count = runs(500, 200);
const minute = 60_000;
/** Maximum number of requests per minute that the user didn't ask for. */
const budget = 120;
const duration = 30 * minute;
const connection = { name: 'A', isEmulator: false } as Connection;

describe(`features/batches/watching of ${count} running batches, over a socket`, () => {
  let emulator: Emulator;
  let client: ServiceClient;
  let ids: string[];
  let time: number;
  /** Requests with their time and kind. */
  let sent: { readonly at: number; readonly what: 'list' | 'retrieve' }[];
  let hasList: boolean;
  let visible: boolean;
  /** True if the list of the connection is read for the view. */
  let isListed: boolean;
  let registry: MemoryRegistry;
  let store: BatchStore;
  let watcher: BatchWatcher;

  before(async () => {
    emulator = await startEmulator({ scenario: { batchDuration: duration } });
    client = contractClient(emulator);
  });

  beforeEach(async () => {
    ids = [];
    while (ids.length < count) {
      const made = Array.from({ length: 20 }, () => call(emulator, 'POST', '/v1/messages/batches?beta=true', batchOf('Say hello.')));
      ids.push(...(await Promise.all(made)).map(({ json }) => String(json.id)));
    }
    time = 0;
    sent = [];
    hasList = true;
    visible = false;
    isListed = true;
    registry = new MemoryRegistry();
    store = new BatchStore(registry);
    store.reset('A');
    const { batches } = client;
    const counted: Pick<typeof batches, 'list' | 'retrieve'> = {
      list: async options => {
        sent.push({ at: time, what: 'list' });
        if (!hasList) {
          throw new ServiceError('no', { kind: 'not_found', outcome: 'unknown', method: 'GET', host: 'a', path: '/', status: 404 });
        }
        return await batches.list(options);
      },
      retrieve: async (id, options) => {
        sent.push({ at: time, what: 'retrieve' });
        return await batches.retrieve(id, options);
      },
    };
    const origin = new URL(emulator.url).origin;
    const place = { ...connection, baseUrl: emulator.url };
    watcher = new BatchWatcher({
      connections: {
        get current() {
          return isListed ? place : undefined;
        },
        ...{ access: 'A', state: 'ready', find: () => place },
      },
      reach: async () => ({ baseUrl: emulator.url, batches: counted }) as unknown as ServiceClient,
      registry,
      store,
      lease: { take: async () => true, release: async () => {} },
      catchUp: async () => {},
      ...{ isVisible: () => visible, isFocused: () => true, isTrusted: () => true, isReachable: () => true },
      fetches: { begin: () => ({}), waitOf: () => undefined, attempt: async () => undefined },
      onEnded: () => {},
      findOut: async () => undefined,
      warn: () => {},
      clock: { now: () => Date.now() + time, monotonic: () => time },
    });
    for (const [index, batchId] of ids.entries()) {
      const startedAt = new Date(Date.now() + index).toISOString();
      const own = { id: `s${index}`, connection: 'A', origin, source: `file:///${index}.jsonl`, batchId, state: 'created', startedAt };
      registry.saved.set(own.id, own as Submission);
    }
  });

  after(async () => {
    await client.close();
    await emulator.stop();
  });

  /** Polls at the watcher's own intervals until `isEnough` returns true. Returns the elapsed time in milliseconds. */
  async function lookUntil(isEnough: () => boolean, most: number): Promise<number> {
    const begun = time;
    const { signal } = new AbortController();
    while (time - begun < most) {
      const wait = await watcher.poll(signal);
      if (isEnough()) {
        return time - begun;
      }
      time += wait ?? most;
    }
    return assert.fail(`Not seen within ${most} ms, after ${sent.length} requests`);
  }

  const ended = () => registry.all().filter(({ batch }) => batch?.processing_status === 'ended').length;
  const maxInAMinute = () => Math.max(...sent.map(({ at }) => sent.filter(other => other.at >= at && other.at < at + minute).length));

  it('refreshes each within a minute of its interval from pages of the list, with few calls', async () => {
    await lookUntil(() => time >= 4 * minute, 5 * minute);
    assert.ok(maxInAMinute() <= budget, `${maxInAMinute()} requests in a minute`);
    await emulator.advanceClock(2 * duration);
    const before = sent.length;
    const took = await lookUntil(() => ended() === count, 10 * minute);
    assert.ok(took <= minute + 1_000, `seen after ${took} ms`);
    assert.ok(sent.length - before <= 20, `${sent.length - before} requests`);
  });

  it('stays within the budget without a list, and refreshes each within seven minutes', async () => {
    hasList = false;
    await lookUntil(() => time >= 4 * minute, 5 * minute);
    assert.ok(maxInAMinute() <= budget, `${maxInAMinute()} requests in a minute`);
    await emulator.advanceClock(2 * duration);
    const took = await lookUntil(() => ended() === count, 10 * minute);
    assert.ok(took <= 7 * minute, `seen after ${took} ms`);
    assert.ok(maxInAMinute() <= budget, `${maxInAMinute()} requests in a minute`);
  });

  it('polls visible batches first if there is no list', async () => {
    hasList = false;
    isListed = false;
    visible = true;
    const seen = ids.slice(0, 10);
    for (const id of seen) {
      store.put('A', (await client.batches.retrieve(id)).data);
    }
    const isSeen = (id: string) => store.findIn('A', id)?.processing_status === 'ended';
    await emulator.advanceClock(2 * duration);
    await lookUntil(() => seen.every(isSeen), 1_000);
    assert.ok(ended() < count / 2, `${ended()} of all were seen`);
  });

  it("reads other people's batches behind the hundredth row as ended, and reports the age of the oldest status", async () => {
    registry.saved.clear();
    visible = true;
    await lookUntil(() => store.isListed, 1_000);
    while (store.items.length < count) {
      await store.loadMore(cursor => client.batches.list({ limit: 100, cursor }));
    }
    const open = () => store.items.filter(({ processing_status: status }) => status !== 'ended').length;
    assert.ok(open() >= count);
    time += minute;
    assert.equal(watcher.listedFor(), minute);
    await emulator.advanceClock(2 * duration);
    const took = await lookUntil(() => open() === 0, 5 * minute);
    assert.ok(took <= minute, `seen after ${took} ms`);
    assert.ok(maxInAMinute() <= budget);
  });
});
