import { readFile, stat } from 'node:fs/promises';
import type { Clock } from '../../../common/clock';

/**
 * Judges files that begin with the id of the process that holds them and that it touches again and again. One without a heartbeat
 * for `timeout` milliseconds, by the monotonic clock of the one who looks, belongs to nobody, whatever the wall clocks say.
 */
export class Heartbeats {
  private readonly seen = new Map<string, { readonly stamp: string; readonly since: number }>();

  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly timeout: number,
  ) {}

  /** Whether a process for which `isThere` is true holds the file and is awake. */
  async isBeating(file: string, isThere: (processId: number) => boolean): Promise<boolean> {
    let holder: string;
    let modified: number;
    try {
      holder = await readFile(file, 'utf8');
      modified = (await stat(file)).mtimeMs;
    } catch {
      this.seen.delete(file);
      return false;
    }
    if (!isThere(Number.parseInt(holder, 10))) {
      return false;
    }
    const seen = this.seen.get(file);
    const stamp = `${modified}\n${holder}`;
    if (seen?.stamp !== stamp) {
      this.seen.set(file, { stamp, since: this.clock.monotonic() });
      return true;
    }
    return this.clock.monotonic() - seen.since < this.timeout;
  }
}

/** Whether a process of this machine with that id runs. */
export function isAlive(processId: number): boolean {
  if (!Number.isSafeInteger(processId) || processId <= 0) {
    return false;
  }
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
