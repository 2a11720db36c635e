import { readFileSync } from 'node:fs';

/** Returns whether a process was stopped by a signal. Works only on Linux. */
export function standsStill(pid: number | undefined): boolean {
  try {
    return /^ [tT] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/, ''));
  } catch {
    return false;
  }
}
