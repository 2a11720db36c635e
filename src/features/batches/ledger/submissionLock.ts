import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../../common/clock';
import { Heartbeats, isAlive } from './heartbeats';

const holdName = 'sending.lock';
const heartbeat = 5_000;
/** A hold without a heartbeat for this long, by the monotonic clock of the one who looks, belongs to nobody. */
export const holdTimeout = 20_000;

/** Says over all windows that a submission is being sent by this process, until it is released. */
export interface SendingHold {
  release(): Promise<void>;
}

/** Takes and judges the holds of this machine's windows: a lock file with a process id, touched every five seconds. */
export class SendingHolds {
  private readonly own = new Set<string>();
  private readonly heartbeats: Heartbeats;

  constructor(private readonly clock: Clock) {
    this.heartbeats = new Heartbeats(clock, holdTimeout);
  }

  async take(folder: string): Promise<SendingHold> {
    const file = path.join(folder, holdName);
    await rm(file, { force: true });
    const handle = await open(file, 'wx', 0o600);
    try {
      await handle.writeFile(String(process.pid));
    } finally {
      await handle.close();
    }
    this.own.add(folder);
    const timer = setInterval(() => {
      const now = new Date(this.clock.now());
      // A folder that went away takes its hold with it.
      utimes(file, now, now).catch(() => undefined);
    }, heartbeat);
    timer.unref();
    return {
      release: async () => {
        clearInterval(timer);
        this.own.delete(folder);
        // What cannot be removed names a process that holds nothing any more, or no file at all.
        await rm(file, { force: true }).catch(() => undefined);
      },
    };
  }

  /** Whether a live window, this one or another, is sending the submission of this folder. */
  async isHeld(folder: string): Promise<boolean> {
    if (this.own.has(folder)) {
      return true;
    }
    // Its own id in the file can be that of an earlier process with the same number: that one's heart has stopped.
    return await this.heartbeats.isBeating(path.join(folder, holdName), isAlive);
  }
}

const lockName = 'submission.lock';
const lockHeartbeat = 1_000;
/** A lock that its owner does not touch for this long, by the monotonic clock of the one who waits, was left by a process that ended. */
const lockAge = 5_000;
/** A lock without its owner's id is younger than that by far, unless the owner ended just then. */
const namelessAge = 500;

/** Runs `action` while no other process that asks the same way works on this folder. */
export async function withFolderLock<T>(folder: string, action: () => Promise<T>): Promise<T> {
  const file = path.join(folder, lockName);
  await acquire(file);
  // On a slow disk with many submissions it takes longer than a lock may be silent.
  const timer = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => undefined);
  }, lockHeartbeat).unref();
  try {
    return await action();
  } finally {
    clearInterval(timer);
    await rm(file, { force: true });
  }
}

/** A lock as it was seen, and since when it is like that, by the monotonic clock. */
interface SeenLock {
  readonly stamp: string;
  readonly holder: string;
  readonly since: number;
}

async function acquire(file: string): Promise<void> {
  let seen: SeenLock | undefined;
  for (let attempt = 0; ; attempt++) {
    try {
      const handle = await open(file, 'wx', 0o600);
      // A full disk still holds the empty file, which then is judged by its age alone.
      await handle.writeFile(String(process.pid)).catch(() => undefined);
      await handle.close();
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw error;
      }
      seen = await look(file, seen);
      if (seen !== undefined && isLeftBehind(seen)) {
        await breakLock(file, seen);
      } else {
        // Nothing tells one process that another one deleted a file sooner than looking again.
        await new Promise(resolve => setTimeout(resolve, Math.min(5 * (attempt + 1), 50)));
      }
    }
  }
}

async function look(file: string, before: SeenLock | undefined): Promise<SeenLock | undefined> {
  try {
    const [holder, { ino, mtimeMs }] = await Promise.all([readFile(file, 'utf8'), stat(file)]);
    const stamp = `${ino}:${mtimeMs}:${holder}`;
    return stamp === before?.stamp ? before : { stamp, holder, since: performance.now() };
  } catch {
    return undefined;
  }
}

function isLeftBehind({ holder, since }: SeenLock): boolean {
  const age = performance.now() - since;
  return holder === '' ? age > namelessAge : age > lockAge || !isAlive(Number(holder));
}

/** Only one of several that try can rename it; what another one took meanwhile is put back. */
async function breakLock(file: string, { stamp }: SeenLock): Promise<void> {
  const aside = `${file}.${process.pid}.${randomUUID()}.broken`;
  try {
    await rename(file, aside);
    if ((await look(aside, undefined))?.stamp !== stamp) {
      await link(aside, file);
    }
  } catch {
    // Another process was faster.
  } finally {
    await rm(aside, { force: true }).catch(() => undefined);
  }
}
