import assert from 'node:assert/strict';
import type { ListedSession } from '../../../../../src/features/sessions/facts/listedSession';
import { Needs } from '../../../../../src/features/sessions/facts/needs';
import type { SurveyReach } from '../../../../../src/features/sessions/list/polling/sessionSurvey';

const ask = (eventId: string) => ({ eventId, kind: 'confirmation' as const, tool: 'bash' });

function listed(id: string, asks: readonly string[], connection = 'Lab'): ListedSession {
  return {
    ...{ connection, name: `Name of ${id}`, asks: asks.map(ask), state: 'waiting' },
    session: { id, type: 'session', agent: { id: 'agent_1', name: 'Operator' } } as ListedSession['session'],
  } as ListedSession;
}

describe('features/sessions/facts/needs', () => {
  it('lists the waiting sessions of all connections, and fires only for changes', () => {
    let known: readonly ListedSession[] = [];
    const store = {
      all: () => known,
      coverage: { known: 2, isPart: false, reach: 'whole' as SurveyReach },
    };
    const waiting = new Needs(store);
    let changes = 0;
    waiting.onDidChange(() => changes++);
    const become = (...sessions: readonly ListedSession[]) => {
      known = sessions;
      waiting.check();
    };
    const who = () =>
      waiting.all().map(({ connection, sessionId, agent, asks }) => [connection, sessionId, agent, asks.map(({ eventId }) => eventId)]);
    // The second session waits, but its asks have not been read yet.
    become(listed('s1', ['e1']), listed('s2', []));
    assert.deepEqual(who(), [['Lab', 's1', 'Operator', ['e1']]]);
    become(listed('s1', ['e1']));
    assert.equal(changes, 1);
    become(listed('s1', ['e1', 'e2']), listed('s9', ['e3'], 'Elsewhere'));
    assert.deepEqual([who().length, changes], [2, 2]);
    become();
    assert.deepEqual([who(), changes], [[], 3]);
    // A change of the coverage is reported too.
    store.coverage = { known: 1, isPart: true, reach: 'reading' };
    become();
    become();
    assert.equal(changes, 4);
  });
  it('lists idle sessions that asked a question separately, newest first', () => {
    const asked = (id: string, eventId: string, updated_at: string): ListedSession => ({
      ...listed(id, []),
      ...{ state: 'idle', rest: { kind: 'asked', eventId }, question: { eventId, text: 'Which?' } },
      session: { id, type: 'session', updated_at },
    });
    let known: readonly ListedSession[] = [asked('s1', 'e1', '2026-01-05T09:00:00Z'), asked('s2', 'e2', '2026-01-06T09:00:00Z')];
    const coverage = { known: 2, isPart: false, reach: 'whole' as SurveyReach };
    const waiting = new Needs({ all: () => known, coverage });
    assert.deepEqual(waiting.all(), []);
    assert.deepEqual(
      waiting.questions().map(({ sessionId, eventId, name }) => [sessionId, eventId, name]),
      [
        ['s2', 'e2', 'Name of s2'],
        ['s1', 'e1', 'Name of s1'],
      ],
    );
    let changes = 0;
    waiting.onDidChange(() => changes++);
    known = [];
    waiting.check();
    waiting.check();
    assert.deepEqual([waiting.questions(), changes], [[], 1]);
  });
});
