import { readFileSync } from 'node:fs';

/** Whether a process was stopped by a signal. Only on Linux a file tells that. */
export function standsStill(pid: number | undefined): boolean {
  try {
    return /^ [tT] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/, ''));
  } catch {
    return false;
  }
}
