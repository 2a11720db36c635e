import assert from 'node:assert/strict';
import { RequestBudget } from '../../../../src/common/lists/requestBudget';

describe('common/lists/requestBudget', () => {
  it('saves up to a minute, refills over time, and counts excess calls', () => {
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

  it('never spends more than its budget and savings in one minute', () => {
    let now = 0;
    const budget = new RequestBudget({ monotonic: () => now }, 100, 20);
    const sent: number[] = [];
    for (now = 0; now < 300_000; now += 100) {
      if (now < 60_000 || now > 120_000) {
        for (; budget.left > 0; budget.spend(1)) {
          sent.push(now);
        }
      }
    }
    const most = Math.max(...sent.map(from => sent.filter(at => at >= from && at < from + 60_000).length));
    assert.ok(most <= 120 && most >= 100, `${most} in a minute`);
    assert.equal(budget.waitFor(1_000) <= 12_000, true, 'It never waits for more than can be saved up.');
  });
});
