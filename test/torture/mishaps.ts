import { readFileSync } from 'node:fs';
import { diskChanges, diskLooks, onDiskSteps } from '../helpers/diskSteps';

/** Failure of a window before its n-th step on the disk. The window dies or is suspended, or the call fails with an error code. */
export interface Mishap {
  readonly step: number;
  readonly what: 'SIGKILL' | 'SIGSTOP' | 'EIO' | 'EACCES' | 'ENOSPC' | 'EBUSY';
}

/** Last report of a window that has ended by itself. */
export interface WindowEnd {
  readonly kind: string;
  /** Number of steps on the disk that the window has made since mishaps were possible. */
  readonly steps: number;
}

let steps = 0;

/** Reads the task that the parent process passed to this process of a window. */
export function readTask<Task>(): Task & { readonly mishaps: readonly Mishap[] } {
  return JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
}

/** Applies the mishaps in the process of a window from now on. Loading code counts as a step too. */
export async function meet(mishaps: readonly Mishap[]): Promise<void> {
  await onDiskSteps([...diskChanges, ...diskLooks], name => {
    steps++;
    const what = mishaps.find(({ step }) => step === steps)?.what;
    if (what === 'SIGKILL' || what === 'SIGSTOP') {
      process.kill(process.pid, what);
    } else if (what !== undefined) {
      throw Object.assign(new Error(`${what}: on purpose, ${name}`), { code: what });
    }
  });
}

/** Reports the end of a window to the parent, and ends its process. */
export function tellEnd(kind: string): void {
  process.send?.({ kind, steps } satisfies WindowEnd, () => process.exit(0));
}
