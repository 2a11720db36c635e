import assert from 'node:assert/strict';
import type { SessionReference } from '../../../../../src/contributions';
import { WaitedSessions } from '../../../../../src/features/sessions/list/followedSessions';
import { SessionStore } from '../../../../../src/features/sessions/list/sessionStore';
import { MemoryMemento } from '../memoryMemento';

describe('features/sessions/list/followedSessions', () => {
  const referenceOf = (sessionId: string): SessionReference => ({ connection: 'A', sessionId });
  const sessionOf = (id: string) => ({ id, type: 'session' as const, status: 'idle' });
  let memento: MemoryMemento;
  const open = () => {
    const store = new SessionStore({ now: () => 0, monotonic: () => 5 }, () => []);
    store.reset('A');
    const look = (id: string, ...asks: readonly string[]) => {
      store.facts.take('A', [sessionOf(id)], 5);
      const open = asks.map(eventId => ({ eventId, kind: 'confirmation' as const }));
      store.facts.setLog(referenceOf(id), sessionOf(id), { asks: open, firstWords: undefined });
      store.facts.outdate();
    };
    return { store, look, waited: new WaitedSessions(memento) };
  };
  const names = (waited: WaitedSessions) => waited.all().map(({ sessionId }) => sessionId);

  beforeEach(async () => {
    memento = new MemoryMemento();
    const { store, look, waited } = open();
    look('a', 'e1');
    look('b', 'e2');
    look('c');
    waited.note(store);
  });

  it("remembers waiting sessions across a reload, until they don't wait", () => {
    const { store, look, waited } = open();
    waited.note(store);
    assert.deepEqual(names(waited), ['a', 'b']);
    look('a');
    waited.note(store);
    assert.deepEqual(names(waited), ['b']);
    look('d', 'e4');
    waited.note(store);
    assert.deepEqual(names(waited).sort(), ['b', 'd']);
  });

  it('forgets a session that the service deleted', () => {
    const { store, waited } = open();
    store.remove(referenceOf('b'));
    waited.note(store);
    assert.deepEqual(names(waited), ['a']);
  });

  it('ignores unreadable values', async () => {
    await memento.update('managedAgents.waitedSessions', [null, 3, { connection: 'A' }, 'x']);
    assert.deepEqual(names(new WaitedSessions(memento)), []);
    await memento.update('managedAgents.waitedSessions', 'broken');
    assert.deepEqual(names(new WaitedSessions(memento)), []);
  });
});
