import assert from 'node:assert/strict';
import { setTimeout as pass } from 'node:timers/promises';
import { pagePatience } from '../host/browserWindow.mjs';

/**
 * Repeats actions and assertions until they succeed, for as long as the page timeout. Returns the result of the successful attempt, or
 * rejects with the last failure. `check` starts anew each time, so its actions must be repeatable.
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

/** Waits until the result of `read` deeply equals `expected`. */
export async function becomes(read: () => Promise<unknown>, expected: unknown): Promise<void> {
  await eventually(async () => assert.deepEqual(await read(), expected));
}
