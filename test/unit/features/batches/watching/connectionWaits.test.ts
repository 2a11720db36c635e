import assert from 'node:assert/strict';
import { ConnectionWaits } from '../../../../../src/features/batches/watching/batchWatcher';

describe('features/batches/watching/connectionWaits', () => {
  const clock = { now: () => 0, monotonic: () => 1_000 };

  it('leaves a connection alone while it is asked, and not after it answered', async () => {
    const waits = new ConnectionWaits(clock, 10_000);
    await waits.during('A', async () => assert.equal(waits.waitOf('A'), 10_000));
    assert.ok(waits.waitOf('A') <= 0);
  });

  it('waits longer after each failure, until one look succeeded or all are forgotten', async () => {
    const waits = new ConnectionWaits(clock, 10_000);
    waits.failed('A', new Error('one'));
    const first = waits.waitOf('A');
    waits.failed('A', new Error('two'));
    assert.ok(first > 0 && waits.waitOf('A') > first);
    assert.ok(waits.waitOf('B') <= 0);
    await waits.during('A', async () => {});
    assert.ok(waits.waitOf('A') <= 0);
    waits.failed('A', new Error('three'));
    waits.forgetFailures();
    assert.ok(waits.waitOf('A') <= 0);
  });

  it('keeps the wait of what failed beside a look that succeeded', async () => {
    const waits = new ConnectionWaits(clock, 10_000);
    await waits.during('A', async () => waits.failed('A', new Error('beside it')));
    assert.ok(waits.waitOf('A') > 0);
  });

  it('is not kept back by a look that failed', async () => {
    const waits = new ConnectionWaits(clock, 10_000);
    await assert.rejects(
      waits.during('A', () => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.ok(waits.waitOf('A') <= 0);
  });
});
