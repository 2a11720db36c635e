import assert from 'node:assert/strict';
import { Poller, type Timers } from '../../../../src/common/lists/poller';

/** Timers that a test fires. */
class ManualTimers implements Timers {
  readonly pending = new Map<number, { callback: () => void; delay: number }>();
  private next = 1;

  set(callback: () => void, delay: number): number {
    this.pending.set(this.next, { callback, delay });
    return this.next++;
  }

  clear(handle: unknown): void {
    this.pending.delete(handle as number);
  }

  fire(): void {
    const [handle, timer] = [...this.pending][0] ?? [];
    assert(handle !== undefined && timer !== undefined, 'a timer is pending');
    this.pending.delete(handle);
    timer.callback();
  }
}

describe('common/lists/poller', () => {
  it('runs again after the delay that the task returns', async () => {
    const timers = new ManualTimers();
    let runs = 0;
    const poller = new Poller(async () => (++runs < 3 ? runs * 100 : undefined), timers);
    await poller.trigger();
    assert.deepEqual(
      [...timers.pending.values()].map(timer => timer.delay),
      [100],
    );
    timers.fire();
    await new Promise(setImmediate);
    assert.deepEqual(
      [...timers.pending.values()].map(timer => timer.delay),
      [200],
    );
    timers.fire();
    await new Promise(setImmediate);
    assert.equal(runs, 3);
    assert.equal(timers.pending.size, 0);
  });

  it('merges triggers during a run into one more run', async () => {
    let release: () => void = () => {};
    let runs = 0;
    const poller = new Poller(async () => {
      runs++;
      await new Promise<void>(resolve => {
        release = resolve;
      });
      return undefined;
    }, new ManualTimers());
    const first = poller.trigger();
    void poller.trigger();
    void poller.trigger();
    release();
    await new Promise(setImmediate);
    release();
    await first;
    assert.equal(runs, 2);
  });

  it('replaces the pending timer on a trigger', async () => {
    const timers = new ManualTimers();
    const poller = new Poller(async () => 1000, timers);
    await poller.trigger();
    await poller.trigger();
    assert.equal(timers.pending.size, 1);
  });

  it('aborts the current run and sets no timer after it was disposed', async () => {
    const timers = new ManualTimers();
    let seen: AbortSignal | undefined;
    const poller = new Poller(async signal => {
      seen = signal;
      await new Promise(resolve => signal.addEventListener('abort', resolve));
      return 1000;
    }, timers);
    const run = poller.trigger();
    poller.dispose();
    await run;
    assert.equal(seen?.aborted, true);
    assert.equal(timers.pending.size, 0);
    await poller.trigger();
    assert.equal(timers.pending.size, 0);
  });

  it('runs again after a trigger just before the end of a run', async () => {
    for (let microtasks = 0; microtasks < 12; microtasks++) {
      let runs = 0;
      const poller = new Poller(async () => {
        runs++;
        return undefined;
      });
      const first = poller.trigger();
      for (let waited = 0; waited < microtasks; waited++) {
        await null;
      }
      await poller.trigger();
      await first;
      assert.equal(runs, 2, `triggered after ${microtasks} microtasks`);
      poller.dispose();
    }
  });
});
