import { randomUUID } from 'node:crypto';
import { open, readFile, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../common/clock';
import { Heartbeats } from './heartbeats';
import { lifeOf, parseHolder, thisHolder } from './lockHolder';

const holdName = 'sending.lock';
const heartbeat = 5_000;
/** A hold without a heartbeat for this long, by the monotonic clock of the one who looks, belongs to nobody, unless its process is known to live. */
export const holdTimeout = 20_000;

/** Says over all windows that this process is at a submission, until it is released. */
export interface SendingHold {
  /** Whether nobody has taken this process for dead meanwhile, because it stood still. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

export interface SendingHoldsOptions {
  readonly clock: Clock;
  /** Whether a process that lives and stands still keeps its hold. */
  readonly outlastsSilence: boolean;
}

/** Takes and judges the holds of all windows: a file that names its process (`LockHolder`) and its own inode, touched every five seconds. */
export class SendingHolds {
  private readonly own = new Set<string>();
  private readonly heartbeats: Heartbeats;
  private readonly clock: Clock;

  constructor({ clock, outlastsSilence }: SendingHoldsOptions) {
    this.clock = clock;
    this.heartbeats = new Heartbeats({ clock, timeout: holdTimeout, outlastsSilence });
  }

  /** Takes the hold of a folder that `isHeld` denied; of several that do so at once the last one has it. */
  async take(folder: string): Promise<SendingHold> {
    const file = path.join(folder, holdName);
    let text = '';
    await rm(file, { force: true });
    const handle = await open(file, 'wx', 0o600);
    try {
      const { ino } = await handle.stat();
      text = `${JSON.stringify({ ...thisHolder(), inode: ino })}\n${randomUUID()}`;
      await handle.writeFile(text);
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
    const isHeld = async () => (await readFile(file, 'utf8').catch(() => '')) === text;
    return {
      isHeld,
      release: async () => {
        clearInterval(timer);
        this.own.delete(folder);
        if (await isHeld()) {
          // What cannot be removed names a process that holds nothing any more, or no file at all.
          await rm(file, { force: true }).catch(() => undefined);
        }
      },
    };
  }

  /** Whether a live process, this one or another, holds a folder. */
  async isHeld(folder: string): Promise<boolean> {
    // Its own id in the file can be that of an earlier process with the same number.
    return this.own.has(folder) || (await this.heartbeats.isBeating(path.join(folder, holdName)));
  }

  /**
   * Returns whether the process that took the hold of a folder is known to have ended. It isn't if the hold names another host, boot or PID
   * namespace, or if the hold is missing or a copy: that process may still be sending what this ledger was copied from.
   */
  async hasEnded(folder: string): Promise<boolean> {
    const file = path.join(folder, holdName);
    const [text, inode] = await Promise.all([
      readFile(file, 'utf8').catch(() => ''),
      stat(file).then(
        ({ ino }) => ino,
        () => undefined,
      ),
    ]);
    return text.includes(`"inode":${inode}}\n`) && (await lifeOf(parseHolder(text))) === 'dead';
  }

  /** Takes the hold of a process that is taken for dead away, so that it knows should it go on. */
  async remove(folder: string): Promise<void> {
    await rm(path.join(folder, holdName), { force: true });
  }
}
