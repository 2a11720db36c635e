import assert from 'node:assert/strict';
import type { ListedSession } from '../../../../../src/features/sessions/facts/listedSession';
import { readSort, sorted, writeSort } from '../../../../../src/features/sessions/list/sessionStore';
import { MemoryMemento } from '../memoryMemento';

const listed = (id: string, updated_at: string | undefined, cents?: string): ListedSession => ({
  connection: 'A',
  session: { id, type: 'session', updated_at, ...(cents === undefined ? {} : { usage: { list_cost: { amount: cents } } }) },
  state: 'idle',
  asks: [],
  name: undefined,
});
const sessions = [listed('a', '2026-11-21T10:00:00Z', '5'), listed('b', '2026-11-21T12:00:00Z'), listed('c', undefined, '40')];
const order = (sort: Parameters<typeof sorted>[1]) => sorted(sessions, sort).map(({ session }) => session.id);

describe('features/sessions/list/sessionStore', () => {
  it('sorts by last activity, by cost, or keeps the order', () => {
    assert.deepEqual(order('activity'), ['b', 'a', 'c']);
    assert.deepEqual(order('cost'), ['c', 'a', 'b']);
    assert.deepEqual(order('needsYou'), ['a', 'b', 'c']);
  });

  it('remembers the order, and ignores invalid stored values', async () => {
    const memento = new MemoryMemento();
    assert.equal(readSort(memento), 'needsYou');
    await writeSort(memento, 'cost');
    assert.equal(readSort(memento), 'cost');
    await memento.update('managedAgents.sessionsSort', { evil: true });
    assert.equal(readSort(memento), 'needsYou');
  });
});
