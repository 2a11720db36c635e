import { randomUUID } from 'node:crypto';
import { open, readFile, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../common/clock';
import { Heartbeats, lifeOf, parseHolder, thisHolder } from './lockHolder';

const holdName = 'sending.lock';
const heartbeat = 5_000;
/** A hold without a heartbeat for this long, by the reader's monotonic clock, is abandoned unless its process is known to live. */
export const holdTimeout = 20_000;

/** Marks a submission as being sent by this process, visible to all windows, until released. */
export interface SendingHold {
  /** Returns whether no other window took this process for dead, because it stalled. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

export interface SendingHoldsOptions {
  readonly clock: Clock;
  /** True if a live process that stalls keeps its hold. */
  readonly outlastsSilence: boolean;
}

/** Takes and checks holds. A hold is a file with its process (`LockHolder`) and its own inode, touched every five seconds. */
export class SendingHolds {
  private readonly own = new Set<string>();
  private readonly heartbeats: Heartbeats;
  private readonly clock: Clock;

  constructor({ clock, outlastsSilence }: SendingHoldsOptions) {
    this.clock = clock;
    this.heartbeats = new Heartbeats({ clock, timeout: holdTimeout, outlastsSilence });
  }

  /** Takes the hold of a folder for which `isHeld` returned false. If several processes do so at once, the last one has it. */
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
      // The hold of a deleted folder is gone too.
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
          // A hold that can't be removed is harmless: its process no longer writes heartbeats.
          await rm(file, { force: true }).catch(() => undefined);
        }
      },
    };
  }

  /** Returns whether a live process, this one or another, holds a folder. */
  async isHeld(folder: string): Promise<boolean> {
    // Another process may have had the same ID as this one before.
    return this.own.has(folder) || (await this.heartbeats.isBeating(path.join(folder, holdName)));
  }

  /**
   * Returns whether the process that took the hold of a folder is known to have ended. Unknown, and therefore false, if the hold is
   * missing, a copy, or of another host, boot or PID namespace. The original of such a ledger may still be sending.
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

  /** Deletes the hold of a process that seems dead, so that the process notices if it continues. */
  async remove(folder: string): Promise<void> {
    await rm(path.join(folder, holdName), { force: true });
  }
}
