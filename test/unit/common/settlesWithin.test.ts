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

  it('says that it settled, and leaves no timer', async () => {
    assert.equal(await settlesWithin(Promise.resolve(), 5_000, new AbortController().signal), true);
    assert.equal(timers.count, 0);
  });

  it('says that time went by', async () => {
    const waiting = settlesWithin(never, 5_000, new AbortController().signal);
    timers.pass(5_000);
    assert.equal(await waiting, false);
  });

  it('ends when it is cancelled, before or meanwhile', async () => {
    const caller = new AbortController();
    const waiting = settlesWithin(never, 5_000, caller.signal);
    caller.abort();
    assert.equal(await waiting, false);
    assert.equal(await settlesWithin(never, 5_000, caller.signal), false);
    assert.equal(timers.count, 0);
  });

  it('fails with what it waits for', async () => {
    await assert.rejects(settlesWithin(Promise.reject(new Error('gone')), 5_000, new AbortController().signal), /gone/);
  });
});
