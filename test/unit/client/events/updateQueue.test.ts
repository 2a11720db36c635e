import assert from 'node:assert/strict';
import { UpdateQueue } from '../../../../src/client/events/updateQueue';
import type { WatchUpdate } from '../../../../src/client/events/watchUpdates';

describe('client/events/updateQueue', () => {
  const events = (live: boolean, ...ids: string[]): WatchUpdate => ({ type: 'events', live, events: ids.map(id => ({ type: 'x', id })) });
  const state = (name: 'live' | 'connecting'): WatchUpdate => ({ type: 'state', state: { name } });

  async function drain(queue: UpdateQueue): Promise<WatchUpdate[]> {
    const all: WatchUpdate[] = [];
    for (let update = await queue.next(); update !== undefined; update = await queue.next()) {
      all.push(update);
    }
    return all;
  }

  it('merges neighbours of one kind into one update, and keeps the order of all others', async () => {
    const queue = new UpdateQueue();
    const first = events(true, 'a');
    for (const update of [
      state('connecting'),
      state('live'),
      first,
      events(true, 'b'),
      events(false, 'c'),
      state('live'),
      events(false, 'd'),
    ]) {
      queue.push(update);
    }
    queue.push({ type: 'gap', id: 'g', error: 1 });
    queue.push({ type: 'corrected', events: [] });
    queue.push({ type: 'corrected', events: [] });
    queue.end(false);
    queue.push(state('live'));
    assert.deepEqual(await drain(queue), [
      state('live'),
      events(true, 'a', 'b'),
      events(false, 'c'),
      state('live'),
      events(false, 'd'),
      { type: 'gap', id: 'g', error: 1 },
      { type: 'corrected', events: [] },
      { type: 'corrected', events: [] },
    ]);
    assert.deepEqual(first, events(true, 'a'));
  });

  it('has no room while too many events or bytes are queued, and has again when they are read', async () => {
    for (const fill of [
      (queue: UpdateQueue) => queue.push(events(true, ...Array.from({ length: 2000 }, (_, index) => `${index}`))),
      (queue: UpdateQueue) => queue.push(events(true, 'a'), 8 * 1024 * 1024),
    ]) {
      const queue = new UpdateQueue();
      await queue.room();
      fill(queue);
      let hasRoom = false;
      const waiting = queue.room().then(() => {
        hasRoom = true;
      });
      await new Promise(resolve => setImmediate(resolve));
      assert.equal(hasRoom, false);
      await queue.next();
      await waiting;
    }
  });

  it('releases all waiters at its end, and drops its queue when nobody reads it', async () => {
    const queue = new UpdateQueue();
    const waiting = queue.next();
    queue.end(true);
    assert.equal(await waiting, undefined);
    const full = new UpdateQueue();
    full.push(events(true, 'a'), 1e9);
    const room = full.room();
    full.end(true);
    await room;
    assert.equal(await full.next(), undefined);
  });
});
