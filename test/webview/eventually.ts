import assert from 'node:assert/strict';
import { setTimeout as pass } from 'node:timers/promises';
import { pagePatience } from '../host/browserWindow.mjs';

/**
 * Does and asserts something again and again until it holds, as long as a page has patience; gives what it gave then. Rejects with
 * what did not hold the last time. `check` begins anew each time: what acts in it must be good to do twice.
 */
export async function eventually<T>(check: () => Promise<T>): Promise<T> {
  const late = performance.now() + pagePatience;
  for (let pause = 10; ; pause = Math.min(250, pause * 2)) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > late) {
        throw error;
      }
    }
    await pass(pause);
  }
}

/** Settles when what `read` gives equals `expected` in all its depth. */
export async function becomes(read: () => Promise<unknown>, expected: unknown): Promise<void> {
  await eventually(async () => assert.deepEqual(await read(), expected));
}
