import assert from 'node:assert/strict';
import { areTexts, StoredList } from '../../../src/common/storedList';
import { MemoryMemento } from '../features/sessions/memoryMemento';

interface Link {
  readonly from: string;
  readonly to: string;
}

describe('common/storedList', () => {
  const listOf = (state = new MemoryMemento()) =>
    new StoredList<Link>(state, { key: 'links', max: 3, identity: ({ from }) => from, isEntry: ({ from, to }) => areTexts(from, to) });

  it('replaces an entry with the same identity, and drops the oldest of too many', async () => {
    const state = new MemoryMemento();
    const list = listOf(state);
    let changes = 0;
    list.onDidChange(() => changes++);
    for (const [from, to] of ['a1', 'b1', 'a2', 'c1', 'd1'].map(text => [...text])) {
      await list.put({ from: from ?? '', to: to ?? '' });
    }
    assert.deepEqual(
      listOf(state)
        .all()
        .map(({ from, to }) => from + to),
      ['d1', 'c1', 'a2'],
    );
    assert.equal(changes, 5);
  });

  it('finds the newest match, and removes matches', async () => {
    const list = listOf();
    await list.put({ from: 'a', to: '1' });
    await list.put({ from: 'b', to: '1' });
    assert.equal(list.find(({ to }) => to === '1')?.from, 'b');
    let changes = 0;
    list.onDidChange(() => changes++);
    await list.remove(({ to }) => to === '2');
    await list.remove(({ to }) => to === '1');
    assert.deepEqual([list.all(), changes], [[], 1]);
  });

  it('ignores stored values of another shape', async () => {
    const state = new MemoryMemento();
    await state.update('links', [null, 7, 'x', { from: 'a' }, { from: 'a', to: 'b' }]);
    assert.deepEqual(listOf(state).all(), [{ from: 'a', to: 'b' }]);
    await state.update('links', 'text');
    assert.deepEqual(listOf(state).all(), []);
  });
});
