import assert from 'node:assert/strict';
import { AskNotifier } from '../../../../../src/features/sessions/notifying/askNotifier';
import type { OpenAsk } from '../../../../../src/features/sessions/facts/openAsks';
import { FollowedSessions } from '../../../../../src/features/sessions/list/followedSessions';
import { MemoryMemento } from '../memoryMemento';

const reference = { connection: 'A', sessionId: 's' };
const asks = (...ids: string[]): readonly OpenAsk[] => ids.map(eventId => ({ eventId, kind: 'confirmation' }));

describe('features/sessions/asks/askNotifier', () => {
  let memento: MemoryMemento;
  let told: string[];
  let isWanted: boolean;
  let isVisible: boolean;
  const open = () =>
    new AskNotifier({
      followed: new FollowedSessions(memento),
      isWanted: () => isWanted,
      isVisible: () => isVisible,
      tell: (_, name, shown) => told.push(`${name}: ${shown.map(({ eventId }) => eventId).join(' ')}`),
    });

  beforeEach(async () => {
    memento = new MemoryMemento();
    await new FollowedSessions(memento).follow(reference, 1);
    told = [];
    isWanted = true;
    isVisible = false;
  });

  it('tells a set of asks once, the newest first, also when it is looked at twice at the same time', async () => {
    const teller = open();
    await Promise.all([teller.consider(reference, 'N', asks('a', 'b')), teller.consider(reference, 'N', asks('a', 'b'))]);
    await teller.consider(reference, 'N', asks('a', 'b', 'c'));
    await teller.consider(reference, 'N', []);
    assert.deepEqual(told, ['N: b a', 'N: c']);
  });

  it('tells nothing again after a reload', async () => {
    await open().consider(reference, 'N', asks('a'));
    await open().consider(reference, 'N', asks('a'));
    assert.deepEqual(told, ['N: a']);
  });

  it('is silent when the user looks at it or does not want it, and does not catch up later', async () => {
    const teller = open();
    isVisible = true;
    await teller.consider(reference, 'N', asks('a'));
    isVisible = false;
    isWanted = false;
    await teller.consider(reference, 'N', asks('a', 'b'));
    isWanted = true;
    await teller.consider(reference, 'N', asks('a', 'b'));
    assert.deepEqual(told, []);
  });

  it('goes on after something could not be written down', async () => {
    const teller = open();
    const { update } = memento;
    memento.update = () => Promise.reject(new Error('disk full'));
    await assert.rejects(teller.consider(reference, 'N', asks('a')), /disk full/);
    memento.update = update;
    await teller.consider(reference, 'N', asks('a'));
    assert.deepEqual(told, ['N: a']);
  });

  it('tells nothing of a session that was neither started nor opened here', async () => {
    await open().consider({ connection: 'A', sessionId: 'foreign' }, 'N', asks('a'));
    assert.deepEqual(told, []);
  });
});
