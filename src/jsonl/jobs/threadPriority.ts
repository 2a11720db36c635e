import { setPriority } from 'node:os';

/**
 * Nice value of job threads. The host's thread takes precedence. A job still gets a third of a processor next to programs that keep the
 * processor busy.
 */
export const jobPriority = 5;

/**
 * Lowers the priority of the calling thread, so that the host's frequent short work runs first when processors are few. Does nothing except
 * on Linux, because elsewhere it would affect the whole process.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') {
    return;
  }
  try {
    setPriority(0, jobPriority);
  } catch {
    // A sandbox may forbid changing the priority. The job runs anyway.
  }
}
