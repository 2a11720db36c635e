import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { MessageBatch } from '../../../../../src/client/schemas/messageBatches';
import { EndFetches } from '../../../../../src/features/batches/watching/endFetches';
import type { FetchedEnd } from '../../../../../src/features/batches/watching/fetchEnded';
import { FolderRegistry } from '../../../../../src/features/ledger/folderRegistry';
import { type Run, runOf } from '../../../../../src/features/ledger/runs';
import type { Submission } from '../../../../../src/features/ledger/submission';
import { assertLinear } from '../../../../helpers/workOf';

const id = '11111111-1111-4111-8111-111111111111';
const start = Date.parse('2026-11-21T12:00:00Z');
const batch = {
  id: 'b',
  type: 'message_batch',
  processing_status: 'ended',
  request_counts: { processing: 0, succeeded: 1, errored: 0, canceled: 0, expired: 0 },
} as MessageBatch;

describe('features/batches/watching/endFetches', () => {
  let folder: string;
  let isOn: boolean;
  let free: Promise<void>;
  let answers: (FetchedEnd | Promise<FetchedEnd>)[];
  const clock = { time: 0, now: () => start + clock.time, monotonic: () => clock.time };
  const fetched: string[] = [];
  const told: string[] = [];
  const open: { dispose(): void }[] = [];

  /** A window of this machine. */
  function openWindow(name: string, isClosing = () => false) {
    const registry = new FolderRegistry({ folder, log: { warn: message => assert.fail(message) }, clock });
    open.push(registry);
    const fetches = new EndFetches({
      registry,
      clock,
      isOn: () => isOn,
      isClosing,
      whenFree: () => free,
      fetch: async () => {
        fetched.push(name);
        return (await answers.shift()) ?? assert.fail('one try too many');
      },
      tell: (_, end) => told.push(`${name} ${end?.isFetched}`),
    });
    const known = async (): Promise<Submission> => {
      await registry.reload();
      return registry.find(id) ?? assert.fail('not known');
    };
    return {
      registry,
      fetches,
      end: async () => fetches.ended(runOf(registry.all(), await known()) as Run),
      wait: async () => fetches.waitOf(await known()),
      again: async () => fetches.again(await known()),
    };
  }

  async function seeEnd(window: ReturnType<typeof openWindow>): Promise<void> {
    await window.registry.save({
      id,
      connection: 'A',
      origin: 'http://a',
      source: 'file:///a.jsonl',
      fileBytes: 1,
      sha256: 'ab',
      requestCount: 1,
      bodyBytes: 1,
      state: 'created',
      batchId: 'b',
      batch,
      startedAt: new Date(start).toISOString(),
      ...window.fetches.begin(),
    });
  }

  const failed = (error: unknown): FetchedEnd => ({ isFetched: false, problem: 'no', error });

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'fetches-'));
    clock.time = 0;
    isOn = true;
    free = Promise.resolve();
    fetched.length = 0;
    told.length = 0;
  });

  afterEach(() => {
    for (const one of open.splice(0)) {
      one.dispose();
    }
    rmSync(folder, { recursive: true, force: true });
  });

  it('fetches at the end, tells, and rests', async () => {
    const window = openWindow('one');
    await seeEnd(window);
    answers = [{ isFetched: true }];
    await window.end();
    assert.deepEqual([fetched, told, await window.wait()], [['one'], ['one true'], undefined]);
  });

  it('only tells where nothing is to be fetched', async () => {
    isOn = false;
    const window = openWindow('one');
    await seeEnd(window);
    answers = [];
    await window.end();
    assert.deepEqual([fetched, told, await window.wait()], [[], ['one undefined'], undefined]);
  });

  it('tries a few times more after failures, with growing pauses, by any window, and tells once', async () => {
    const [one, two] = [openWindow('one'), openWindow('two')];
    await seeEnd(one);
    answers = [failed('a'), failed('b'), failed('c'), failed('d')];
    await one.end();
    const waits: (number | undefined)[] = [];
    for (const window of [two, one, two]) {
      const wait = await window.wait();
      waits.push(wait);
      clock.time += wait ?? 0;
      assert.equal(await window.wait(), 0);
      assert.ok(await window.again());
    }
    assert.deepEqual(waits, [60_000, 600_000, 3_600_000]);
    assert.deepEqual([await one.wait(), await two.wait()], [undefined, undefined]);
    assert.deepEqual([fetched, told], [['one', 'two', 'one', 'two'], ['one false']]);
  });

  it('does not try again what would fail again', async () => {
    const window = openWindow('one');
    await seeEnd(window);
    answers = [{ isFetched: false, problem: 'too large', isFinal: true }];
    await window.end();
    assert.deepEqual([fetched, told, await window.wait()], [['one'], ['one false'], undefined]);
  });

  it('goes on, and tells, when the window that saw the end has died', async () => {
    const [dead, two] = [openWindow('dead'), openWindow('two')];
    await seeEnd(dead);
    assert.equal(await two.wait(), 5_000);
    clock.time += 5_000;
    answers = [{ isFetched: true }];
    await two.again();
    assert.deepEqual([fetched, told, await two.wait()], [['two'], ['two true'], undefined]);
  });

  it('leaves it to the next window to tell when one closes while it fetches', async () => {
    const [closing, two] = [openWindow('closing', () => true), openWindow('two')];
    await seeEnd(closing);
    answers = [failed('closed'), failed('a')];
    await closing.end();
    assert.equal(await two.wait(), 5_000);
    clock.time += 5_000;
    await two.again();
    assert.deepEqual(told, ['two false']);
  });

  it('tells of an end once when the window that saw it died and nothing is fetched', async () => {
    isOn = false;
    const [dead, two, three] = [openWindow('dead'), openWindow('two'), openWindow('three')];
    await seeEnd(dead);
    assert.deepEqual([await two.wait(), await three.wait()], [5_000, 5_000]);
    clock.time += 5_000;
    await Promise.all([two.again(), three.again()]);
    assert.deepEqual([told.length, await two.wait(), await three.wait()], [1, undefined, undefined]);
  });

  it('leaves an end to the next window when one closes before a notification can be shown, whether or not results were fetched', async () => {
    for (isOn of [false, true]) {
      told.length = 0;
      let isClosing = false;
      const [closing, two] = [openWindow('closing', () => isClosing), openWindow('two')];
      await seeEnd(closing);
      let close = () => {};
      free = new Promise(resolve => {
        close = resolve;
      });
      answers = [{ isFetched: true }];
      const ending = closing.end();
      isClosing = true;
      close();
      await ending;
      const report = { counts: {}, missing: {}, unexpected: {}, duplicate: {}, damaged: {} } as never;
      await two.registry.reload();
      const resultsFile = { path: '/r.results.jsonl', stamp: '', fetchedAt: '' };
      await two.registry.update(id, isOn ? { results: { joinedPath: '/r', fetchedAt: '', report }, resultsFile } : {});
      clock.time += 5_000;
      assert.equal(await two.wait(), 0);
      await two.again();
      assert.deepEqual([told, await two.wait()], [[isOn ? 'two true' : 'two undefined'], undefined]);
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('makes one try at a time, however long it takes, and stops when the user was faster', async () => {
    const [one, two] = [openWindow('one'), openWindow('two')];
    await seeEnd(one);
    let finish = (_: FetchedEnd) => {};
    answers = [
      new Promise<FetchedEnd>(resolve => {
        finish = resolve;
      }),
    ];
    const long = one.end();
    while (fetched.length === 0) {
      await new Promise(setImmediate);
    }
    clock.time += 61_000;
    assert.equal(await one.wait(), 20_000);
    assert.equal(await one.again(), undefined);
    assert.equal(await two.again(), undefined);
    assert.equal(await two.wait(), 20_000);
    finish(failed('late'));
    await long;
    assert.deepEqual(fetched, ['one']);
    const counts = { succeeded: 1, errored: 0, canceled: 0, expired: 0, other: 0 };
    const report = { counts, missing: {}, unexpected: {}, duplicate: {}, damaged: {} } as never;
    const resultsFile = { path: '/r.results.jsonl', stamp: '', fetchedAt: '' };
    await two.registry.update(id, { results: { joinedPath: '/r', fetchedAt: '', report } });
    assert.notEqual(await one.wait(), undefined, 'the results file is missing');
    await two.registry.update(id, { resultsFile });
    assert.deepEqual([await one.wait(), await two.wait()], [undefined, undefined]);
  });

  it('says of many at once when it is their turn, with work in proportion to their number', () => {
    assertLinear(count => {
      const all = Array.from({ length: count }, (_, index) => {
        const at = new Date(start).toISOString();
        return {
          id: `s${index}`,
          connection: 'A',
          source: '',
          state: 'created',
          batch,
          startedAt: at,
          fetching: { tries: 1, at },
        } as unknown as Submission;
      });
      const registry = { all: () => all, find: () => undefined, update: async () => assert.fail('nothing changes'), folder: () => '' };
      const never = async () => assert.fail('nothing is fetched');
      const fetches = new EndFetches({
        registry,
        clock,
        isOn: () => true,
        isClosing: () => false,
        whenFree: async () => {},
        fetch: never,
        tell: () => {},
      });
      return () => {
        for (const one of all) {
          assert.equal(typeof fetches.waitOf(one), 'number');
        }
      };
    });
  });
});
