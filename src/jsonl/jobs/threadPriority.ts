import { setPriority } from 'node:os';

/** Enough for the host's thread to be chosen first, and a third of a processor beside programs that want all of it. */
export const jobPriority = 5;

/**
 * Lets other threads go before the calling one when processors are few, as the host's, which has short work often. Only Linux
 * can do that for one thread; elsewhere it would be the whole process, so nothing happens there.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') {
    return;
  }
  try {
    setPriority(0, jobPriority);
  } catch {
    // A sandbox may forbid it; the job is done all the same.
  }
}
