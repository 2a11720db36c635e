import assert from 'node:assert/strict';
import { MemoizedList } from '../../../../src/common/lists/memoizedList';

describe('common/lists/memoizedList', () => {
  it('computes nothing while its inputs are the same, and returns the same list while all items are', () => {
    const list = new MemoizedList<object>();
    const [one, two] = [{}, {}];
    let created = 0;
    const take = (of: readonly unknown[], now: readonly object[]) =>
      list.take(of, () => {
        created++;
        return now;
      });
    const first = take([1, 'a'], [one]);
    assert.deepEqual([take([1, 'a'], [two]) === first, created], [true, 1]);
    assert.deepEqual([take([2, 'a'], [one]) === first, created], [true, 2]);
    assert.deepEqual(take([2, 'b'], [one, two]), [one, two]);
    assert.deepEqual(take([2, 'b', 3], [two]), [two]);
    assert.equal(created, 4);
  });

  it('computes once without inputs', () => {
    const list = new MemoizedList<number>();
    assert.deepEqual(
      list.take([], () => [1]),
      [1],
    );
    assert.deepEqual(
      list.take([], () => [2]),
      [1],
    );
  });
});
