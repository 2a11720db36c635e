import { setImmediate as othersTurn } from 'node:timers/promises';

/** Runs a generator to its end, and yields to other work after each step. Rejects when `signal` aborts. */
export async function inTurns<T>(steps: Generator<unknown, T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) {
      return value as T;
    }
    await othersTurn();
    signal.throwIfAborted();
  }
}
