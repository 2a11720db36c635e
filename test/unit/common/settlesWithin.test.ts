import assert from 'node:assert/strict';
import { settlesWithin } from '../../../src/common/settlesWithin';
import { HeldTimers } from '../../helpers/heldTimers';

describe('common/settlesWithin', () => {
  const never = new Promise<void>(() => {});
  let timers: HeldTimers;

  beforeEach(() => {
    timers = new HeldTimers([5_000]);
  });

  afterEach(() => timers.release());

  it('returns true when settled, and leaves no timer', async () => {
    assert.equal(await settlesWithin(Promise.resolve(), 5_000, new AbortController().signal), true);
    assert.equal(timers.count, 0);
  });

  it('returns false after the time', async () => {
    const waiting = settlesWithin(never, 5_000, new AbortController().signal);
    timers.pass(5_000);
    assert.equal(await waiting, false);
  });

  it('ends when it is canceled, before or during the wait', async () => {
    const caller = new AbortController();
    const waiting = settlesWithin(never, 5_000, caller.signal);
    caller.abort();
    assert.equal(await waiting, false);
    assert.equal(await settlesWithin(never, 5_000, caller.signal), false);
    assert.equal(timers.count, 0);
  });

  it("fails with the promise's error", async () => {
    await assert.rejects(settlesWithin(Promise.reject(new Error('gone')), 5_000, new AbortController().signal), /gone/);
  });
});
