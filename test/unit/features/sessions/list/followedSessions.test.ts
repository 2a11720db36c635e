import assert from 'node:assert/strict';
import { FollowedSessions } from '../../../../../src/features/sessions/list/followedSessions';
import { MemoryMemento } from '../memoryMemento';

const reference = (sessionId: string) => ({ connection: 'A', sessionId });

describe('features/sessions/list/followedSessions', () => {
  let memento: MemoryMemento;
  let followed: FollowedSessions;

  beforeEach(() => {
    memento = new MemoryMemento();
    followed = new FollowedSessions(memento);
  });

  it('remembers reported ends across a reload, and reports only new ones', async () => {
    await followed.follow(reference('s'), 1);
    assert.deepEqual(await followed.noteNews(reference('s'), ['a', 'b']), ['a', 'b']);
    const after = new FollowedSessions(memento);
    assert.deepEqual(await after.noteNews(reference('s'), ['b', 'c']), ['c']);
    await after.follow(reference('s'), 2);
    assert.deepEqual(await after.noteNews(reference('s'), ['a', 'b', 'c']), []);
  });

  it("reports nothing of a session that isn't followed", async () => {
    assert.deepEqual(await followed.noteNews(reference('s'), ['a']), []);
  });

  it('stops following an ended session, but remembers what was reported', async () => {
    await followed.follow(reference('s'), 1);
    await followed.noteNews(reference('s'), ['a']);
    await followed.end(reference('s'));
    assert.deepEqual(followed.active(), []);
    await followed.follow(reference('s'), 2);
    assert.deepEqual([followed.active().length, await followed.noteNews(reference('s'), ['a'])], [1, []]);
  });

  it('keeps connections apart', async () => {
    await followed.follow(reference('s'), 1);
    assert.equal(followed.find({ connection: 'B', sessionId: 's' }), undefined);
    await followed.forget({ connection: 'B', sessionId: 's' });
    assert.equal(followed.active().length, 1);
    await followed.forget(reference('s'));
    assert.deepEqual(followed.active(), []);
  });

  it('is limited, and drops the least recently used entry first', async () => {
    for (let number = 0; number < 220; number++) {
      await followed.follow(reference(`s${number}`), number);
      await followed.amend(reference('s0'), { activeAt: number });
    }
    assert.equal(followed.active().length, 200);
    assert.notEqual(followed.find(reference('s0')), undefined);
    assert.equal(followed.find(reference('s1')), undefined);
    await followed.noteNews(
      reference('s0'),
      Array.from({ length: 500 }, (_, index) => `e${index}`),
    );
    assert.equal(followed.find(reference('s0'))?.told.length, 100);
  });

  it('ignores unreadable values', async () => {
    await memento.update('managedAgents.followedSessions', [null, 3, { connection: 'A' }, 'x']);
    assert.deepEqual(followed.active(), []);
    await memento.update('managedAgents.followedSessions', 'broken');
    assert.deepEqual(followed.active(), []);
  });
});
