import assert from 'node:assert/strict';
import { EndNotifier } from '../../../../../src/features/sessions/ends/endNotifier';
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

describe('features/sessions/ends/endNotifier', () => {
  let memento: MemoryMemento;
  let reported: string[];
  let isWanted: boolean;
  let isVisible: boolean;
  let claimed: Set<string>;
  const open = (store = memento) =>
    new EndNotifier({
      followed: new FollowedSessions(store),
      isWanted: () => isWanted,
      isVisible: () => isVisible,
      claim: async (_, id) => !claimed.has(id) && claimed.add(id) !== undefined,
      tell: (_, { state, rest }) => reported.push(`${state} ${rest?.kind ?? ''}`),
    });
  const look = (teller: EndNotifier, how: ListedSession, endId?: string) => teller.consider(reference, how, endId);

  beforeEach(async () => {
    memento = new MemoryMemento();
    await new FollowedSessions(memento).follow(reference, 1);
    reported = [];
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
    assert.deepEqual(reported, ['idle done', 'failed failed', 'terminated ']);
  });

  it('tells once of a session that failed and is terminated because of that', async () => {
    const teller = open();
    await look(teller, listed('running'));
    const failed = { kind: 'failed', message: 'Too long' } as const;
    await look(teller, listed('failed', failed), 'error');
    await look(teller, listed('terminated', failed), 'error');
    assert.deepEqual(reported, ['failed failed']);
    reported = [];
    await new FollowedSessions(memento).forget(reference);
    await new FollowedSessions(memento).follow(reference, 1);
    claimed = new Set();
    await look(teller, listed('running'));
    await look(teller, listed('terminated', failed), 'error');
    await look(teller, listed('failed', failed), 'error');
    assert.deepEqual(reported, ['terminated failed']);
  });

  it('does not tell how a session stood when it was first seen', async () => {
    const teller = open();
    await look(teller, done, 'i1');
    await look(teller, done, 'i1');
    assert.deepEqual(reported, []);
    await look(teller, done, 'i2');
    assert.deepEqual(reported, ['idle done']);
  });

  it('tells nothing again after a reload, nor in a second window', async () => {
    await look(open(), listed('running'));
    const other = new MemoryMemento();
    await new FollowedSessions(other).follow(reference, 1);
    await look(open(other), listed('running'));
    await look(open(), done, 'i1');
    await look(open(), done, 'i1');
    await look(open(other), done, 'i1');
    assert.deepEqual(reported, ['idle done']);
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
    assert.deepEqual(reported, []);
  });

  it('says nothing of what waits, of what is not followed, and of an end whose event is not known', async () => {
    const teller = open();
    await look(teller, listed('waiting'));
    await look(teller, listed('idle'), 'i1');
    await look(teller, done, undefined);
    await teller.consider({ connection: 'A', sessionId: 'other' }, done, 'i1');
    assert.deepEqual(reported, []);
  });
});
