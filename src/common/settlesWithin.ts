import { setTimeout as delay } from 'node:timers/promises';

/** Returns whether a promise settles within a number of milliseconds and before `signal` aborts. */
export async function settlesWithin(work: Promise<unknown>, milliseconds: number, signal?: AbortSignal): Promise<boolean> {
  const settled = new AbortController();
  const ends = signal === undefined ? settled.signal : AbortSignal.any([settled.signal, signal]);
  try {
    return await Promise.race([work.then(() => true), delay(milliseconds, false, { signal: ends }).catch(() => false)]);
  } finally {
    settled.abort();
  }
}
