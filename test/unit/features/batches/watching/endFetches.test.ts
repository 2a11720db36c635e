import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { EndFetches, type FetchedEnd } from '../../../../../src/features/batches/watching/endFetches';
import type { Submission } from '../../../../../src/features/ledger/submission';
import { assertLinear } from '../../../../helpers/workOf';
import { ids, recordOf, useLedger } from '../../ledger/ledgerOfTest';
import { batch } from '../batchUnderTest';
import { resultsAt } from '../fileRuns/submissionOf';

const [id] = ids;
const start = Date.parse('2026-11-21T12:00:00Z');
const ended = batch('ended', { succeeded: 1 }, { id: 'b' });
const results = resultsAt('/r');
const resultsFile = { path: '/r.results.jsonl', stamp: '', fetchedAt: results.fetchedAt };

describe('features/batches/watching/endFetches', () => {
  const ledger = useLedger();
  let isOn: boolean;
  let free: Promise<void>;
  let answers: (FetchedEnd | Promise<FetchedEnd>)[];
  const clock = { time: 0, now: () => start + clock.time, monotonic: () => clock.time };
  const fetched: string[] = [];
  const told: string[] = [];

  /** Opens a window on the shared ledger. */
  function openWindow(name: string, isClosing = () => false) {
    const registry = ledger.open(assert.fail, clock);
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
      notify: (_, end) => told.push(`${name} ${end?.isFetched}`),
    });
    const known = async (): Promise<Submission> => {
      await registry.reload();
      return registry.find(id) ?? assert.fail('not known');
    };
    return {
      registry,
      fetches,
      end: async () => fetches.attempt(await known()),
      wait: async () => fetches.waitOf(await known()),
      again: async () => fetches.attempt(await known()),
    };
  }

  async function seeEnd(window: ReturnType<typeof openWindow>): Promise<void> {
    const startedAt = new Date(start).toISOString();
    await window.registry.save(recordOf({ state: 'created', batchId: 'b', batch: ended, startedAt, ...window.fetches.begin() }));
  }

  const failed = (error: unknown): FetchedEnd => ({ isFetched: false, problem: 'no', error });

  beforeEach(() => {
    clock.time = 0;
    isOn = true;
    free = Promise.resolve();
    fetched.length = 0;
    told.length = 0;
  });

  const ends: readonly (readonly [name: string, answers: readonly FetchedEnd[], fetched: string[], told: string])[] = [
    ['fetches at the end, tells, and rests', [{ isFetched: true }], ['one'], 'one true'],
    ['only tells where nothing is to be fetched', [], [], 'one undefined'],
    ['does not try again what would fail again', [{ isFetched: false, problem: 'too large', isFinal: true }], ['one'], 'one false'],
  ];
  for (const [name, given, fetchedBy, toldOf] of ends) {
    it(name, async () => {
      isOn = given.length > 0;
      const window = openWindow('one');
      await seeEnd(window);
      answers = [...given];
      await window.end();
      assert.deepEqual([fetched, told, await window.wait()], [fetchedBy, [toldOf], undefined]);
    });
  }

  it('retries a few times after failures, with growing delays, in any window, and reports once', async () => {
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

  it('continues, and reports, when the window that noticed the end has died', async () => {
    const [dead, two] = [openWindow('dead'), openWindow('two')];
    await seeEnd(dead);
    assert.equal(await two.wait(), 5_000);
    clock.time += 5_000;
    answers = [{ isFetched: true }];
    await two.again();
    assert.deepEqual([fetched, told, await two.wait()], [['two'], ['two true'], undefined]);
  });

  it('leaves the report to the next window when one closes while it fetches', async () => {
    const [closing, two] = [openWindow('closing', () => true), openWindow('two')];
    await seeEnd(closing);
    answers = [failed('closed'), failed('a')];
    await closing.end();
    assert.equal(await two.wait(), 5_000);
    clock.time += 5_000;
    await two.again();
    assert.deepEqual(told, ['two false']);
  });

  it('reports an end once when the window that noticed it died and nothing is fetched', async () => {
    isOn = false;
    const [dead, two, three] = [openWindow('dead'), openWindow('two'), openWindow('three')];
    await seeEnd(dead);
    assert.deepEqual([await two.wait(), await three.wait()], [5_000, 5_000]);
    clock.time += 5_000;
    await Promise.all([two.again(), three.again()]);
    assert.deepEqual([told.length, await two.wait(), await three.wait()], [1, undefined, undefined]);
  });

  it('leaves an end to the next window when one closes before it could notify, whether or not results were fetched', async () => {
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
      await two.registry.reload();
      await two.registry.update(id, isOn ? { results, resultsFile } : {});
      clock.time += 5_000;
      assert.equal(await two.wait(), 0);
      await two.again();
      assert.deepEqual([told, await two.wait()], [[isOn ? 'two true' : 'two undefined'], undefined]);
      rmSync(ledger.folder, { recursive: true, force: true });
    }
  });

  it('makes one attempt at a time, however long it takes, and stops once the user has fetched the results', async () => {
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
    await two.registry.update(id, { results });
    assert.notEqual(await one.wait(), undefined, 'the results file is missing');
    await two.registry.update(id, { resultsFile });
    assert.deepEqual([await one.wait(), await two.wait()], [undefined, undefined]);
  });

  it('computes the delays of many reports in linear time', () => {
    assertLinear(count => {
      const all = Array.from({ length: count }, (_, index) => {
        const at = new Date(start).toISOString();
        return recordOf({ id: `s${index}`, state: 'created', batch: ended, startedAt: at, fetching: { tries: 1, at } });
      });
      const registry = { all: () => all, find: () => undefined, updateIf: async () => assert.fail('nothing changes'), folder: () => '' };
      const never = async () => assert.fail('nothing is fetched');
      const fetches = new EndFetches({
        registry,
        clock,
        isOn: () => true,
        isClosing: () => false,
        whenFree: async () => {},
        fetch: never,
        notify: () => {},
      });
      return () => {
        for (const one of all) {
          assert.equal(typeof fetches.waitOf(one), 'number');
        }
      };
    });
  });
});
