import assert from 'node:assert/strict';
import { Emitter } from '../../../../../src/common/emitter';
import { KnownWaiting } from '../../../../../src/features/sessions/inbox/knownWaiting';
import { FollowedSessions } from '../../../../../src/features/sessions/list/followedSessions';
import type { ListedSession } from '../../../../../src/features/sessions/list/listedSession';
import type { SeenSession } from '../../../../../src/features/sessions/sessionPanels';
import { viewOf } from '../../../../webview/panelFixtures';
import { MemoryMemento } from '../memoryMemento';

const ask = (eventId: string) => ({ eventId, kind: 'confirmation' as const, tool: 'bash' });

function listed(id: string, asks: readonly string[], connection = 'Lab'): ListedSession {
  return {
    ...{ connection, name: `Name of ${id}`, asks: asks.map(ask), state: asks.length > 0 ? 'waiting' : 'idle' },
    session: { id, type: 'session', agent: { id: 'agent_1', name: 'Operator' } } as ListedSession['session'],
  };
}

function setUp() {
  const changed = new Emitter<void>();
  const rows = new Map<string, ListedSession>();
  const seen: SeenSession[] = [];
  const followed = new FollowedSessions(new MemoryMemento());
  const store = {
    onDidChange: changed.event,
    connectionName: 'Lab',
    get list() {
      return { items: [...rows.values()].map(({ session }) => session) } as never;
    },
    find: ({ sessionId }: { readonly sessionId: string }) => rows.get(sessionId),
  };
  const waiting = new KnownWaiting({ store, followed, seen: () => seen });
  let changes = 0;
  waiting.onDidChange(() => changes++);
  return {
    ...{ waiting, followed, seen },
    list: (...sessions: readonly ListedSession[]) => {
      rows.clear();
      for (const session of sessions) {
        rows.set(session.session.id, session);
      }
      changed.fire();
    },
    who: () =>
      waiting.all().map(({ connection, sessionId, agent, asks }) => [connection, sessionId, agent, asks.map(({ eventId }) => eventId)]),
    changes: () => changes,
  };
}

describe('features/sessions/inbox/knownWaiting', () => {
  it('knows who waits by the list, and tells only when that is another', () => {
    const { list, who, changes } = setUp();
    list(listed('s1', ['e1']), listed('s2', []));
    assert.deepEqual(who(), [['Lab', 's1', 'Operator', ['e1']]]);
    list(listed('s1', ['e1']), listed('s2', []));
    assert.equal(changes(), 1);
    list(listed('s1', ['e1', 'e2']), listed('s2', ['e3']));
    assert.equal(changes(), 2);
    list();
    assert.deepEqual(who(), []);
    assert.equal(changes(), 3);
  });

  it('knows sessions of other connections for as long as they are followed', async () => {
    const { waiting, followed, who, changes } = setUp();
    const elsewhere = { connection: 'Elsewhere', sessionId: 's9' };
    waiting.look(listed('s9', ['e9'], 'Elsewhere'));
    assert.deepEqual(who(), []);
    await followed.follow(elsewhere, 0);
    waiting.look(listed('s9', ['e9'], 'Elsewhere'));
    assert.deepEqual(who(), [['Elsewhere', 's9', 'Operator', ['e9']]]);
    assert.equal(changes(), 1);
    await followed.end(elsewhere);
    assert.deepEqual(who(), []);
  });

  it('believes an open panel more than the list', () => {
    const { list, seen, who } = setUp();
    const input = { type: 'json', text: '{}' } as const;
    seen.push({ connection: 'Lab', sessionId: 's1', view: viewOf({ asks: [] }) });
    seen.push({
      ...{ connection: 'Other', sessionId: 's2' },
      view: viewOf({
        asks: [
          { ...ask('e2'), rowKey: 'e2', input, at: 0 },
          { ...ask('e3'), rowKey: 'e3', input, at: 0, answering: true },
        ],
      }),
    });
    list(listed('s1', ['e1']));
    assert.deepEqual(
      who().map(([connection, sessionId, , asks]) => [connection, sessionId, asks]),
      [['Other', 's2', ['e2']]],
    );
  });
});
