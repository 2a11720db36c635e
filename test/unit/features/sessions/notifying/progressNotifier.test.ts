import assert from 'node:assert/strict';
import { ProgressNotifier } from '../../../../../src/features/sessions/notifying/progressNotifier';
import type { ListedSession } from '../../../../../src/features/sessions/facts/listedSession';
import { FollowedSessions } from '../../../../../src/features/sessions/list/followedSessions';
import { MemoryMemento } from '../memoryMemento';

const reference = { connection: 'A', sessionId: 's' };
const listed: ListedSession = { connection: 'A', session: { id: 's', type: 'session' }, state: 'running', asks: [], name: 'N' };
const silent = (episode: string, minutes: number) => ({ kind: 'silent', minutes, episode }) as const;

describe('features/sessions/ends/progressNotifier', () => {
  it('tells once per episode, also after a reload, of followed sessions alone', async () => {
    const memento = new MemoryMemento();
    const claimed = new Set<string>();
    let told = 0;
    let isVisible = false;
    const open = () =>
      new ProgressNotifier({
        followed: new FollowedSessions(memento),
        isWanted: () => true,
        isVisible: () => isVisible,
        claim: async (_, id) => !claimed.has(id) && claimed.add(id) !== undefined,
        tell: () => told++,
      });
    const look = async (episode: string, minutes: number, by = open()) => by.consider(reference, listed, silent(episode, minutes));
    await look('e1', 8);
    assert.equal(told, 0, 'nobody follows it');
    await new FollowedSessions(memento).follow(reference, 1);
    const one = open();
    await Promise.all([look('e1', 8, one), look('e1', 9, one), look('e1', 9)]);
    assert.equal(told, 1);
    await look('e2', 8);
    assert.equal(told, 2);
    isVisible = true;
    await look('e3', 8);
    isVisible = false;
    await look('e3', 9);
    assert.equal(told, 2, 'it was on screen');
  });
});
