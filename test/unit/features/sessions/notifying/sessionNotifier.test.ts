import assert from 'node:assert/strict';
import { SessionNotifier } from '../../../../../src/features/sessions/notifying/sessionNotifier';
import type { ListedSession } from '../../../../../src/features/sessions/facts/listedSession';
import { FollowedSessions } from '../../../../../src/features/sessions/list/followedSessions';
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

describe('features/sessions/notifying/sessionNotifier', () => {
  let memento: MemoryMemento;
  let told: string[];
  let isWanted: boolean;
  let isVisible: boolean;
  let claimed: Set<string>;
  const open = (store = memento) =>
    new SessionNotifier({
      followed: new FollowedSessions(store),
      isWanted: () => isWanted,
      isVisible: () => isVisible,
      claim: async (_, id) => !claimed.has(id) && claimed.add(id) !== undefined,
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
  });

  it('tells once that a turn ended, and the next one again', async () => {
    const teller = open();
    await look(teller, listed('running'));
    await Promise.all([look(teller, done, 'i1'), look(teller, done, 'i1')]);
    await look(teller, listed('failed', { kind: 'failed' }), 'i2');
    await look(teller, listed('terminated'));
    await look(teller, listed('terminated'));
    assert.deepEqual(told, ['idle done', 'failed failed', 'terminated ']);
  });

  it('tells once of a session that failed and is terminated because of that', async () => {
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

  it('does not tell how a session stood when it was first seen', async () => {
    const teller = open();
    await look(teller, done, 'i1');
    await look(teller, done, 'i1');
    assert.deepEqual(told, []);
    await look(teller, done, 'i2');
    assert.deepEqual(told, ['idle done']);
  });

  it('tells nothing again after a reload, nor in a second window', async () => {
    await look(open(), listed('running'));
    const other = new MemoryMemento();
    await new FollowedSessions(other).follow(reference, 1);
    await look(open(other), listed('running'));
    await look(open(), done, 'i1');
    await look(open(), done, 'i1');
    await look(open(other), done, 'i1');
    assert.deepEqual(told, ['idle done']);
  });

  it('is silent when the user looks at it or does not want it, and does not catch up later', async () => {
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

  it('says nothing of what waits, of what is not followed, and of an end whose event is not known', async () => {
    const teller = open();
    await look(teller, listed('waiting'));
    await look(teller, listed('idle'), 'i1');
    await look(teller, done, undefined);
    await teller.considerEnd({ connection: 'A', sessionId: 'other' }, done, 'i1');
    assert.deepEqual(told, []);
  });

  it('tells a set of asks once, the newest first, also when it is looked at twice at the same time', async () => {
    const teller = open();
    await Promise.all([teller.considerAsks(reference, asking('a', 'b')), teller.considerAsks(reference, asking('a', 'b'))]);
    await teller.considerAsks(reference, asking('a', 'b', 'c'));
    await teller.considerAsks(reference, asking());
    assert.deepEqual(told, ['N: b a', 'N: c']);
  });

  it('tells no ask again after a reload', async () => {
    await open().considerAsks(reference, asking('a'));
    await open().considerAsks(reference, asking('a'));
    assert.deepEqual(told, ['N: a']);
  });

  it('tells no ask that the user looks at or does not want, also later', async () => {
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

  it('goes on after something could not be written down', async () => {
    const teller = open();
    const { update } = memento;
    memento.update = () => Promise.reject(new Error('disk full'));
    await assert.rejects(teller.considerAsks(reference, asking('a')), /disk full/);
    memento.update = update;
    await teller.considerAsks(reference, asking('a'));
    assert.deepEqual(told, ['N: a']);
  });

  it('tells no ask of a session that was neither started nor opened here', async () => {
    await open().considerAsks({ connection: 'A', sessionId: 'foreign' }, asking('a'));
    assert.deepEqual(told, []);
  });

  it('tells a problem once per episode, also after a reload, of followed sessions alone', async () => {
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
