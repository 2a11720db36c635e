import assert from 'node:assert/strict';
import type { Submission } from '../../../../../src/features/ledger/submission';
import { batchOf, failing, start, Window, World } from './watchedBatches';

describe('features/batches/watching/batchWatcher', () => {
  let world: World;
  let window: Window;

  beforeEach(() => {
    world = new World();
    window = new Window(world);
  });

  it('makes no calls while the view is hidden and none of our batches runs', async () => {
    assert.equal(await window.poll(), undefined);
    assert.deepEqual(world.calls, []);
  });

  it('lists a service without batches once, and again on request', async () => {
    window.visible = true;
    world.failures.set('A', failing({ kind: 'not_found', status: 404 }));
    assert.equal(await window.poll(), undefined);
    assert.deepEqual([window.store.state, window.store.isUnsupported], ['unsupported', true]);
    world.pass(3_600_000);
    assert.equal(await window.poll(), undefined);
    assert.deepEqual(world.calls, ['list']);
    world.failures.clear();
    window.watcher.pollNow();
    assert.equal(await window.poll(), 60_000);
    assert.deepEqual([world.calls.length, window.store.state], [2, 'empty']);
  });

  it("keeps polling our batches if the list isn't served", async () => {
    window.visible = true;
    world.submit('s');
    world.failures.set('A', failing({ kind: 'not_found', status: 404 }));
    assert.equal(await window.poll(), 300_000);
    assert.deepEqual(world.calls, ['list', 'retrieve b-s']);
    world.failures.clear();
    world.pass(300_000);
    assert.equal(await window.poll(), 30_000);
    assert.deepEqual(world.calls.slice(2), ['retrieve b-s']);
    assert.equal(world.registry.saved.get('s')?.deleted, undefined);
  });

  it("doesn't list the batches of the previous key after the key changed", async () => {
    world.batches.set('theirs', batchOf('theirs', 'ended'));
    window.visible = true;
    world.onCall = () => {
      world.key = 2;
    };
    await window.poll();
    assert.deepEqual([world.calls, window.store.findIn('A', 'theirs')], [['list'], undefined]);
    await window.poll();
    assert.notEqual(window.store.findIn('A', 'theirs'), undefined);
  });

  it('retrieves our batches while hidden, soon after the submission and rarely later', async () => {
    world.submit('s');
    assert.equal(await window.poll(), 2_000);
    world.pass(200_000);
    assert.equal(await window.poll(), 20_000);
    world.pass(3_600_000);
    assert.equal(await window.poll(), 60_000);
    assert.deepEqual(world.calls, ['retrieve b-s', 'retrieve b-s', 'retrieve b-s']);
  });

  it('polls each batch at its own interval, however often a poll is triggered', async () => {
    world.submit('old', { startedAt: new Date(start - 3_600_000).toISOString() });
    world.submit('new');
    for (let second = 0; second < 20; second++) {
      await window.poll();
      world.pass(1_000);
    }
    const asked = (id: string) => world.calls.filter(call => call === `retrieve b-${id}`).length;
    assert.deepEqual([asked('old'), asked('new')], [1, 10]);
  });

  it('keeps its interval when the wall clock jumps', async () => {
    world.submit('s');
    await window.poll();
    world.now -= 24 * 3_600_000;
    world.monotonic += 200_000;
    assert.equal(await window.poll(), 20_000);
    world.now += 48 * 3_600_000;
    world.monotonic += 25_000;
    assert.equal(await window.poll(), 22_500);
  });

  it("lists while visible and doesn't retrieve listed batches", async () => {
    world.submit('s');
    window.visible = true;
    await window.poll();
    assert.deepEqual(world.calls, ['list']);
    assert.equal(window.store.rows().length, 1);
    world.pass(7_000);
    assert.equal(window.watcher.listedFor(), 7_000);
  });

  it('lists at once when its connection is selected again', async () => {
    world.submit('s');
    world.end('s');
    window.visible = true;
    await window.poll();
    world.pass(1_000);
    window.store.reset('B');
    window.store.reset('A');
    assert.equal(window.watcher.listedFor(), undefined);
    await window.poll();
    assert.deepEqual(world.calls, ['list', 'list']);
    assert.equal(window.store.state, 'filled');
    assert.equal(window.watcher.listedFor(), 0);
  });

  it('lists less often without focus, and polls our batches at the same interval', async () => {
    window.visible = true;
    window.focused = false;
    assert.equal(await window.poll(), 180_000);
    window.focused = true;
    assert.equal(await window.poll(), 60_000);
    world.submit('s');
    window.focused = false;
    window.visible = false;
    assert.equal(await window.poll(), 2_000);
  });

  it('reports the end of a batch once, and stops polling', async () => {
    world.submit('s');
    await window.poll();
    world.end('s');
    world.pass(2_000);
    assert.equal(await window.poll(), undefined);
    assert.equal(await window.poll(), undefined);
    assert.deepEqual(world.ended, ['s']);
    const saved = world.registry.saved.get('s');
    assert.deepEqual([saved?.batch?.processing_status, saved?.isEndSeen], ['ended', false]);
  });

  it('reports a group once, when its last batch has ended', async () => {
    world.submit('1', { group: { id: 'g', index: 0, count: 2 } });
    world.submit('2', { group: { id: 'g', index: 1, count: 2 } });
    world.end('1');
    await window.poll();
    assert.deepEqual(world.ended, []);
    world.end('2');
    world.pass(2_000);
    await window.poll();
    assert.deepEqual(world.ended, ['1']);
  });

  it('treats a batch as deleted after two polls minutes apart, and polls rarely between them', async () => {
    world.submit('s');
    const deleted = () => world.registry.saved.get('s')?.deleted;
    world.failures.set('A', failing({ kind: 'not_found', status: 404 }));
    assert.equal(await window.poll(), 300_000);
    window.watcher.pollNow();
    await window.poll();
    assert.equal(deleted(), undefined);
    world.pass(300_000);
    assert.equal(await window.poll(), undefined);
    assert.equal(deleted(), true);
  });

  it("continues with a batch that was missing for a while because of another workspace's key", async () => {
    world.submit('s');
    world.failures.set('A', failing({ kind: 'not_found', status: 404 }));
    await window.poll();
    world.pass(290_000);
    world.failures.clear();
    window.watcher.forgetFailures();
    assert.equal(await window.poll(), 29_000);
    world.failures.set('A', failing({ kind: 'not_found', status: 404 }));
    world.pass(40_000);
    assert.equal(await window.poll(), 300_000);
    assert.equal(world.registry.saved.get('s')?.deleted, undefined);
  });

  it("doesn't treat a batch as deleted because another address doesn't have it", async () => {
    world.submit('s');
    world.moved.set('A', 'http://staging');
    world.failures.set('A', failing({ kind: 'not_found', status: 404 }));
    assert.equal(await window.poll(), undefined);
    const submission = world.registry.saved.get('s') as Submission;
    assert.equal(submission.deleted, undefined);
    assert.equal(window.watcher.isWatched(submission), false);
    world.failures.clear();
    world.moved.clear();
    window.watcher.forgetFailures();
    world.pass(2_000);
    world.end('s');
    await window.poll();
    assert.deepEqual(world.ended, ['s']);
  });

  it('restores a missing batch when the service lists it again', async () => {
    world.submit('s');
    await world.registry.update('s', { deleted: true });
    window.visible = true;
    await window.poll();
    assert.equal(world.registry.saved.get('s')?.deleted, undefined);
  });

  it("polls batches before it searches for lost ones, so that a failing list doesn't block them", async () => {
    const failingToFind = new Window(world, async () => {
      throw failing({ kind: 'permission', status: 403 });
    });
    world.submit('u', { state: 'unknown', batchId: undefined });
    world.submit('s');
    world.end('s');
    await failingToFind.poll();
    assert.deepEqual(world.ended, ['s']);
  });

  it("ignores batches of another workspace's emulator", async () => {
    world.submit('s', { connection: 'Emulator' });
    world.failures.set('Emulator', failing({ kind: 'not_found', status: 404 }));
    assert.equal(await window.poll(), undefined);
    assert.equal(world.registry.saved.get('s')?.deleted, undefined);
    assert.equal(window.watcher.isWatched(world.registry.saved.get('s') as Submission), false);
    world.failures.clear();
    window.watcher.forgetFailures();
    world.pass(2_000);
    assert.equal(await window.poll(), 2_000);
    assert.equal(world.calls.length, 2);
  });

  it('backs off after failures, respects Retry-After, and recovers', async () => {
    world.submit('s');
    world.failures.set('A', failing({ kind: 'connection_lost' }));
    for (const wait of [4_000, 8_000, 16_000]) {
      assert.equal(await window.poll(), wait);
      assert.equal(await window.poll(), wait, 'a look in between asks nothing');
      world.pass(wait);
    }
    world.failures.set('A', failing({ kind: 'rate_limit', retryAfter: 120_000 }));
    assert.equal(await window.poll(), 120_000);
    assert.equal(world.calls.length, 4);
    window.watcher.pollNow();
    await window.poll();
    assert.equal(world.calls.length, 5, 'unless the user asked');
    world.failures.clear();
    world.pass(120_000);
    assert.equal(await window.poll(), 14_800);
  });

  const troubles = [
    ['does not answer', () => world.hanging.add('A')],
    ['fails', () => world.failures.set('A', failing({ kind: 'rate_limit', retryAfter: 600_000 }))],
  ] as const;
  for (const [name, trouble] of troubles) {
    it(`continues with one connection while another ${name}`, async () => {
      const impatient = new Window(world, undefined, 1);
      world.submit('a');
      world.submit('b', { connection: 'B' });
      trouble();
      assert.equal(await impatient.poll(), 2_000);
      for (let round = 0; round < 2; round++) {
        world.pass(2_000);
        await impatient.poll();
      }
      assert.deepEqual(world.calls, ['retrieve b-a', 'retrieve b-b', 'retrieve b-b', 'retrieve b-b']);
    });
  }

  it('sends nothing automatically from an untrusted workspace, and lets other windows lead', async () => {
    world.submit('s');
    window.visible = true;
    window.trusted = false;
    assert.equal(await window.poll(), undefined);
    assert.deepEqual([world.calls, world.lease.holder], [[], undefined]);
    window.trusted = true;
    await window.poll();
    assert.deepEqual(world.calls, ['list']);
  });

  it("doesn't poll a stopped service", async () => {
    world.submit('s');
    window.reachable = false;
    window.visible = true;
    assert.equal(await window.poll(), undefined);
    assert.deepEqual(world.calls, []);
  });

  it('checks the lease every few seconds while another window leads, and lists rarely', async () => {
    world.submit('s');
    await window.poll();
    const other = new Window(world);
    other.visible = true;
    assert.equal(await other.poll(), 5_000);
    world.pass(5_000);
    await other.poll();
    assert.deepEqual(world.calls, ['retrieve b-s', 'list']);
    other.watcher.pollNow();
    await other.poll();
    assert.deepEqual(world.calls, ['retrieve b-s', 'list', 'list'], 'when the user asks it asks, whoever leads');
  });

  it('polls the batches of its own emulator, whichever window leads', async () => {
    world.submit('s');
    await window.poll();
    world.submit('e', { connection: 'Emulator' });
    await new Window(world).poll();
    assert.deepEqual(world.calls, ['retrieve b-s', 'retrieve b-e']);
  });

  it('searches for the batch of an unknown submission when it is due, in the leading window', async () => {
    const asked: string[] = [];
    const searching = new Window(world, async ({ id }) => {
      asked.push(id);
      const lookedAt = new Date(world.now).toISOString();
      return await world.registry.update(id, { search: { looks: 1, lookedAt, listed: 0, reachedBack: true, candidates: [] } });
    });
    world.submit('u', { state: 'unknown', batchId: undefined });
    assert.equal(await searching.poll(), 5_000);
    assert.equal(await window.poll(), 5_000);
    world.pass(5_000);
    await searching.poll();
    assert.deepEqual(asked, ['u', 'u']);
    await world.registry.update('u', { state: 'abandoned' });
    assert.equal(await searching.poll(), 5_000);
    world.pass(4 * 3_600_000);
    assert.equal(await searching.poll(), undefined);
    assert.deepEqual(asked, ['u', 'u']);
  });

  it('reports the end of a batch that was found for an unknown submission', async () => {
    const searching = new Window(world, ({ id }) =>
      world.registry.update(id, { state: 'created', batchId: 'b-u', batch: batchOf('b-u', 'ended') }),
    );
    world.submit('u', { state: 'unknown', batchId: undefined });
    await searching.poll();
    await searching.poll();
    assert.deepEqual(world.ended, ['u']);
    assert.equal(world.registry.saved.get('u')?.isEndSeen, false);
  });

  it('retries to fetch results when due, also while the batch is listed, in the leading window, and backs off when the service fails', async () => {
    world.submit('s');
    world.submit('t');
    world.end('s');
    const other = new Window(world);
    world.isFetching = true;
    await window.poll();
    assert.deepEqual(world.registry.saved.get('s')?.fetching?.tries, 0);
    await other.poll();
    window.visible = true;
    world.fetchError = failing({ kind: 'rate_limit', retryAfter: 90_000 });
    world.pass(29_000);
    await Promise.all([window.poll(), other.poll()]);
    assert.deepEqual(world.fetchedAgain, []);
    world.pass(1_000);
    await Promise.all([other.poll(), window.poll()]);
    assert.deepEqual(world.fetchedAgain, ['s']);
    await new Promise(setImmediate);
    const before = world.calls.length;
    world.pass(80_000);
    await window.poll();
    assert.equal(world.calls.length, before);
  });
});
