import assert from 'node:assert/strict';
import { RequestBudget } from '../../../../src/common/lists/requestBudget';

describe('common/lists/requestBudget', () => {
  it('saves up to a minute, gives back with time, and counts what was sent beyond it', () => {
    let now = 0;
    const budget = new RequestBudget({ monotonic: () => now }, 60);
    assert.equal(budget.left, 60);
    budget.spend(70);
    assert.deepEqual([budget.left, budget.waitFor(1)], [0, 1_000]);
    now += 20_000;
    assert.deepEqual([budget.left, budget.waitFor(10), budget.waitFor(20)], [10, 0, 10_000]);
    now += 3_600_000;
    assert.deepEqual([budget.left, budget.waitFor(1_000)], [60, 0]);
  });
});
