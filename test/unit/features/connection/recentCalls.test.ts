import assert from 'node:assert/strict';
import { RecentCalls } from '../../../../src/features/connection/recentCalls';

describe('features/connection/recentCalls', () => {
  it('keeps the last calls, newest first, without losing failures to polls', () => {
    let now = 0;
    const calls = new RecentCalls(() => ++now);
    calls.note({ method: 'POST', path: '/messages/batches', milliseconds: 5, failure: 'timeout' });
    calls.note({ method: 'GET', path: '/sessions', milliseconds: 5, status: 503, requestId: 'req_1' });
    for (let count = 0; count < 100; count++) {
      calls.note({ method: 'GET', path: '/messages/batches', milliseconds: count, status: 200 });
    }
    const list = calls.list();
    assert.equal(list.length, 17);
    assert.deepEqual(
      list.map(({ endedAt }) => endedAt),
      list.map(({ endedAt }) => endedAt).sort((one, other) => other - one),
    );
    assert.deepEqual(
      list.slice(-2).map(({ failure, status, endedAt }) => [failure, status, endedAt]),
      [
        [undefined, 503, 2],
        ['timeout', undefined, 1],
      ],
    );
    assert.equal(list[0]?.milliseconds, 99);
  });
});
