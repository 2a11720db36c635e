import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { EmulatorClock } from '../../../src/emulator/emulatorClock';

const hour = 3_600_000;

describe('emulator/emulatorClock', () => {
  it('fires due alarms in order when time is moved, and waits for them', async () => {
    const clock = new EmulatorClock();
    const start = clock.now();
    const rung: string[] = [];
    const ring = (name: string) => async () => {
      await Promise.resolve();
      rung.push(name);
    };
    clock.at(start + 2_000_000, ring('second'));
    clock.at(start + 1_000_000, ring('first'));
    clock.at(start + 9_000_000, ring('later'));
    const takeBack = clock.at(start + 1_500_000, ring('never'));
    takeBack();
    await clock.advance(3_000_000);
    assert.deepEqual(rung, ['first', 'second']);
    assert.ok(clock.now() >= start + 3_000_000);
    await clock.stop();
  });

  it('fires what an alarm sets for a past time', async () => {
    const clock = new EmulatorClock();
    const start = clock.now();
    let second = false;
    clock.at(start + 1000, async () => {
      clock.at(start + 2000, async () => {
        second = true;
      });
    });
    await clock.advance(5000);
    assert.equal(second, true);
    await clock.stop();
  });

  it('waits for work that a woken sleeper starts', async () => {
    const clock = new EmulatorClock();
    let isDone = false;
    const sleeper = clock.sleepUntil(clock.now() + 1000, new AbortController().signal).then(() =>
      clock.during(
        (async () => {
          await nextTurn();
          await nextTurn();
          isDone = true;
        })(),
      ),
    );
    await clock.advance(1000);
    assert.equal(isDone, true);
    await sleeper;
    await clock.stop();
  });

  it('lets each alarm see its own time, and sleepers run in between', async () => {
    const clock = new EmulatorClock();
    const start = clock.now();
    const seen: number[] = [];
    const signal = new AbortController().signal;
    const sleeper = (async () => {
      for (let step = 1; step <= 3; step++) {
        await clock.sleepUntil(start + step * hour, signal);
        seen.push(clock.now() - start - step * hour);
      }
    })();
    await clock.advance(10 * hour);
    assert.equal(seen.length, 3);
    assert.ok(
      seen.every(late => late >= 0 && late < hour),
      seen.join(' '),
    );
    assert.ok(clock.now() >= start + 10 * hour);
    await Promise.all([sleeper, clock.stop()]);
  });

  it('wakes a stopped sleeper, with the reason', async () => {
    const clock = new EmulatorClock();
    const stop = new AbortController();
    const sleeping = clock.sleepUntil(clock.now() + 1_000_000, stop.signal);
    stop.abort(new Error('enough'));
    await assert.rejects(sleeping, /enough/);
    await assert.rejects(clock.sleepUntil(clock.now(), stop.signal), /enough/);
    await clock.stop();
  });

  it('fires by itself in real time', async () => {
    const clock = new EmulatorClock();
    await new Promise<void>(resolve => {
      clock.at(clock.now() + 1, async () => resolve());
    });
    await clock.stop();
  });

  it('fires nothing after it was stopped', async () => {
    const clock = new EmulatorClock();
    let rung = false;
    clock.at(clock.now() + 1000, async () => {
      rung = true;
    });
    await clock.stop();
    await clock.advance(5000);
    assert.equal(rung, false);
  });
});
