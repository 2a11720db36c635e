import assert from 'node:assert/strict';
import { otherSessions } from '../../../../../src/features/sessions/comparing/sessionComparer';
import type { ListedSession } from '../../../../../src/features/sessions/facts/listedSession';

const listed = (id: string, agent: string | undefined, name: string | undefined, connection = 'Lab'): ListedSession => ({
  connection,
  session: { id, type: 'session', ...(agent !== undefined && { agent: { id: agent, type: 'agent' } }) },
  state: 'idle',
  asks: [],
  name,
});
const ids = (sessions: readonly ListedSession[]) => sessions.map(({ session }) => session.id);
const groupsOf = (all: readonly ListedSession[], sessionId: string) => {
  const { alike, sameAgent, others } = otherSessions(all, { connection: 'Lab', sessionId });
  return [ids(alike), ids(sameAgent), ids(others)];
};

describe('features/sessions/comparing/otherSessions', () => {
  it('puts those of the same first message first, then those of the same agent, and leaves the one itself out', () => {
    const all = [
      listed('far', 'b', 'Mend the test'),
      listed('same', 'a', 'Another thing'),
      listed('one', 'a', 'Mend the test · v3'),
      listed('twin', 'a', 'Mend the test · v5'),
      listed('plain', 'a', 'Mend the test'),
    ];
    assert.deepEqual(groupsOf(all, 'one'), [['twin', 'plain'], ['same'], ['far']]);
  });

  it('takes sessions without a name or an agent for unlike, and agents of other connections for others', () => {
    const all = [listed('one', 'a', undefined), listed('nameless', 'a', undefined), listed('away', 'a', undefined, 'Other')];
    assert.deepEqual(groupsOf(all, 'one'), [[], ['nameless'], ['away']]);
    const agentless = [listed('one', undefined, 'x'), listed('two', undefined, 'x')];
    assert.deepEqual(groupsOf(agentless, 'one'), [[], [], ['two']]);
  });

  it('offers all others beside a session that is not listed', () => {
    assert.deepEqual(groupsOf([listed('two', 'a', 'x'), listed('three', 'a', 'x')], 'unlisted'), [[], [], ['two', 'three']]);
  });
});
