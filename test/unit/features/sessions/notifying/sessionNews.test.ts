import assert from 'node:assert/strict';
import type { ListedSession } from '../../../../../src/features/sessions/facts/listedSession';
import { FollowedSessions } from '../../../../../src/features/sessions/list/followedSessions';
import { SessionNotifier } from '../../../../../src/features/sessions/notifying/sessionNews';
import { MemoryMemento } from '../memoryMemento';

const reference = { connection: 'A', sessionId: 's' };
const listed = (state: ListedSession['state'], rest?: ListedSession['rest']): ListedSession => ({
  connection: 'A',
  session: { id: 's', type: 'session' },
  state,
  asks: [],
  name: 'N',
  ...(rest === undefined ? {} : { rest }),
});
const done = listed('idle', { kind: 'done' });
const asking = (...ids: string[]): ListedSession => ({
  ...listed('waiting'),
  asks: ids.map(eventId => ({ eventId, kind: 'confirmation' })),
});

describe('features/sessions/notifying/sessionNews', () => {
  let memento: MemoryMemento;
  let told: string[];
  let isWanted: boolean;
  let isVisible: boolean;
  let claimed: Set<string>;
  let claims: (readonly string[])[];
  const open = (store = memento) =>
    new SessionNotifier({
      followed: new FollowedSessions(store),
      isWanted: () => isWanted,
      isVisible: () => isVisible,
      claim: async (_, ids) => {
        claims.push(ids);
        return ids.filter(id => !claimed.has(id) && claimed.add(id) !== undefined);
      },
      show: (_, { name, state, rest, problem }, notice) =>
        told.push(
          notice === 'end'
            ? `${state} ${rest?.kind ?? ''}`
            : `${name}: ${notice === 'problem' ? problem?.episode : notice.asks.map(({ eventId }) => eventId).join(' ')}`,
        ),
    });
  const look = (teller: SessionNotifier, how: ListedSession, endId?: string) => teller.considerEnd(reference, how, endId);

  beforeEach(async () => {
    memento = new MemoryMemento();
    await new FollowedSessions(memento).follow(reference, 1);
    told = [];
    isWanted = true;
    isVisible = false;
    claimed = new Set();
    claims = [];
  });

  it('reports the end of each turn once', async () => {
    const teller = open();
    await look(teller, listed('running'));
    await Promise.all([look(teller, done, 'i1'), look(teller, done, 'i1')]);
    await look(teller, listed('failed', { kind: 'failed' }), 'i2');
    await look(teller, listed('terminated'));
    await look(teller, listed('terminated'));
    assert.deepEqual(told, ['idle done', 'failed failed', 'terminated ']);
  });

  it('reports a session that failed and was terminated once', async () => {
    const teller = open();
    await look(teller, listed('running'));
    const failed = { kind: 'failed', message: 'Too long' } as const;
    await look(teller, listed('failed', failed), 'error');
    await look(teller, listed('terminated', failed), 'error');
    assert.deepEqual(told, ['failed failed']);
    told = [];
    await new FollowedSessions(memento).forget(reference);
    await new FollowedSessions(memento).follow(reference, 1);
    claimed = new Set();
    await look(teller, listed('running'));
    await look(teller, listed('terminated', failed), 'error');
    await look(teller, listed('failed', failed), 'error');
    assert.deepEqual(told, ['terminated failed']);
  });

  it("doesn't report the first known state of a session", async () => {
    const teller = open();
    await look(teller, done, 'i1');
    await look(teller, done, 'i1');
    assert.deepEqual(told, []);
    await look(teller, done, 'i2');
    assert.deepEqual(told, ['idle done']);
  });

  it('reports nothing again after a reload, or in a second window', async () => {
    await look(open(), listed('running'));
    const other = new MemoryMemento();
    await new FollowedSessions(other).follow(reference, 1);
    await look(open(other), listed('running'));
    await look(open(), done, 'i1');
    await look(open(), done, 'i1');
    await look(open(other), done, 'i1');
    assert.deepEqual(told, ['idle done']);
  });

  it("is silent if the user looks at the session or turned it off, and doesn't catch up later", async () => {
    const teller = open();
    await look(teller, listed('running'));
    isVisible = true;
    await look(teller, done, 'i1');
    isVisible = false;
    isWanted = false;
    await look(teller, done, 'i2');
    isWanted = true;
    await look(teller, done, 'i1');
    await look(teller, done, 'i2');
    assert.deepEqual(told, []);
  });

  it("ignores asks, sessions that aren't followed, and ends without a known event", async () => {
    const teller = open();
    await look(teller, listed('waiting'));
    await look(teller, listed('idle'), 'i1');
    await look(teller, done, undefined);
    await teller.considerEnd({ connection: 'A', sessionId: 'other' }, done, 'i1');
    assert.deepEqual(told, []);
  });

  it('reports a set of asks once, newest first, even after two polls at the same time', async () => {
    const teller = open();
    await Promise.all([teller.considerAsks(reference, asking('a', 'b')), teller.considerAsks(reference, asking('a', 'b'))]);
    await teller.considerAsks(reference, asking('a', 'b', 'c'));
    await teller.considerAsks(reference, asking());
    assert.deepEqual(told, ['N: b a', 'N: c']);
    assert.deepEqual(claims, [['b', 'a'], ['c']]);
  });

  it('reports no ask again after a reload', async () => {
    await open().considerAsks(reference, asking('a'));
    await open().considerAsks(reference, asking('a'));
    assert.deepEqual(told, ['N: a']);
  });

  it('reports each ask in one window only', async () => {
    const other = new MemoryMemento();
    await new FollowedSessions(other).follow(reference, 1);
    await open().considerAsks(reference, asking('a'));
    await open(other).considerAsks(reference, asking('a', 'b'));
    assert.deepEqual(told, ['N: a', 'N: b']);
  });

  it("reports no ask that the user looks at or doesn't want, also later", async () => {
    const teller = open();
    isVisible = true;
    await teller.considerAsks(reference, asking('a'));
    isVisible = false;
    isWanted = false;
    await teller.considerAsks(reference, asking('a', 'b'));
    isWanted = true;
    await teller.considerAsks(reference, asking('a', 'b'));
    assert.deepEqual(told, []);
  });

  it('continues after a failed write', async () => {
    const teller = open();
    const { update } = memento;
    memento.update = () => Promise.reject(new Error('disk full'));
    await assert.rejects(teller.considerAsks(reference, asking('a')), /disk full/);
    memento.update = update;
    await teller.considerAsks(reference, asking('a'));
    assert.deepEqual(told, ['N: a']);
  });

  it("reports no ask of a session that wasn't started or opened here", async () => {
    await open().considerAsks({ connection: 'A', sessionId: 'foreign' }, asking('a'));
    assert.deepEqual(told, []);
  });

  it('reports a problem once per episode, also after a reload, only for followed sessions', async () => {
    const look = (episode: string, minutes: number, by = open(), to: { readonly sessionId: string } = reference) =>
      by.considerProblem({ connection: 'A', ...to }, { ...listed('running'), problem: { kind: 'silent', minutes, episode } });
    await look('e1', 8, open(), { sessionId: 'other' });
    assert.deepEqual(told, [], 'nobody follows it');
    const one = open();
    await Promise.all([look('e1', 8, one), look('e1', 9, one), look('e1', 9)]);
    await look('e2', 8);
    isVisible = true;
    await look('e3', 8);
    isVisible = false;
    await look('e3', 9);
    assert.deepEqual(told, ['N: e1', 'N: e2'], 'the last was on screen');
  });
});
