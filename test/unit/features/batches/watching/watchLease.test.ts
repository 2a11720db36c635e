import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { WatchLease, type WatchLeaseOptions } from '../../../../../src/features/batches/watching/watchLease';
import type { LockHolder } from '../../../../../src/features/ledger/lockHolder';
import { useFolder } from '../../../../helpers/useFolder';

describe('features/batches/watching/watchLease', () => {
  const folder = useFolder();
  let warnings: string[];
  let alive: Set<number>;
  const lifeOf = async (holder: LockHolder | undefined) => (holder !== undefined && alive.has(holder.pid) ? 'alive' : 'dead');
  const clock = { time: 0, now: () => Date.now() + clock.time, monotonic: () => clock.time };
  const leases: WatchLease[] = [];
  const file = () => folder('watch.lease');

  const lease = (processId: number, more: Partial<WatchLeaseOptions> = {}) => {
    const holder = { pid: processId, place: 'here' };
    const made = new WatchLease({ folder: folder(), warn: text => warnings.push(text), clock, holder, lifeOf, ...more });
    leases.push(made);
    return made;
  };

  beforeEach(() => {
    warnings = [];
    alive = new Set([1, 2, 3]);
  });

  afterEach(async () => {
    await Promise.all(leases.splice(0).map(one => one.release()));
  });

  it('is held by one of many windows until that window releases it', async () => {
    const windows = [lease(1), lease(2), lease(3)];
    const took = await Promise.all(windows.map(window => window.take()));
    assert.equal(took.filter(Boolean).length, 1);
    const leader = windows[took.indexOf(true)];
    assert.equal(await leader?.take(), true);
    await leader?.release();
    assert.deepEqual(readdirSync(folder()), []);
    assert.equal(await windows[took.indexOf(false)]?.take(), true);
  });

  it('passes to another window at once when its owner has died', async () => {
    const [first, second] = [lease(1), lease(2)];
    await first.take();
    assert.equal(await second.take(), false);
    alive.delete(1);
    assert.equal(await second.take(), true);
  });

  it('is released by a window that has closed, even if its extension host lives on', async () => {
    let isThere = true;
    const [first, second] = [lease(1, { isWindowThere: async () => isThere }), lease(2, { isWindowThere: async () => true })];
    assert.equal(await first.take(), true);
    assert.equal(await second.take(), false);
    isThere = false;
    assert.equal(await first.take(), false);
    assert.deepEqual(readdirSync(folder()), []);
    assert.equal(await second.take(), true);
    isThere = true;
    assert.equal(await first.take(), false);
  });

  it('passes to another window within seconds when its owner is suspended, and the owner notices when it resumes', async () => {
    const [first, second] = [lease(1), lease(2)];
    await first.take();
    const frozen = new Date(1_000_000_000);
    utimesSync(file(), frozen, frozen);
    assert.equal(await second.take(), false);
    clock.time += 7_000;
    assert.equal(await second.take(), false);
    clock.time += 2_000;
    assert.equal(await second.take(), true);
    assert.equal(await first.take(), false);
    await first.release();
    assert.equal(JSON.parse(readFileSync(file(), 'utf8').split('\n')[0] ?? '').pid, 2, 'it does not take away what is another one’s');
  });

  it('stays with its owner while heartbeats continue, however the wall clock jumps', async () => {
    const [first, second] = [lease(1), lease(2)];
    await first.take();
    for (const year of [2001, 2050, 1980]) {
      const beat = new Date(Date.UTC(year, 0));
      utimesSync(file(), beat, beat);
      clock.time += 6_000;
      assert.equal(await second.take(), false);
    }
  });

  it('counts as held if the disk supports no leases, with one log entry', async () => {
    rmSync(folder(), { recursive: true });
    writeFileSync(folder(), '');
    const window = lease(1);
    assert.deepEqual([await window.take(), await window.take()], [true, true]);
    assert.equal(warnings.length, 1);
  });
});
