import { randomUUID } from 'node:crypto';
import { open, readFile, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../common/clock';
import { Heartbeats, type HeartbeatsOptions, lifeOf, type LockHolder, parseHolder, thisHolder } from './lockHolder';

/** Time in milliseconds without a heartbeat after which a submission's hold is abandoned, unless its process is known to be alive. */
export const holdTimeout = 20_000;

/** Marks a submission as being sent by this process, for all windows, until the hold is released. */
export interface SendingHold {
  /** Returns whether this process still holds the submission. False if it stalled and another window removed its hold. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

export interface SendingHoldsOptions extends Omit<HeartbeatsOptions, 'clock' | 'timeout'> {
  readonly clock: Clock;
  /** File name of the holds. Defaults to `sending.lock`. */
  readonly name?: string;
  readonly holder?: LockHolder;
  /** See `HeartbeatsOptions`. The holder writes four heartbeats in this time. */
  readonly timeout?: number;
}

/** Takes and checks holds. A hold is a file with its process (`LockHolder`) and its own inode, touched regularly. */
export class SendingHolds {
  private readonly own = new Set<string>();
  private readonly heartbeats: Heartbeats;
  private readonly name: string;
  private readonly timeout: number;

  constructor(private readonly options: SendingHoldsOptions) {
    this.name = options.name ?? 'sending.lock';
    this.timeout = options.timeout ?? holdTimeout;
    this.heartbeats = new Heartbeats({ ...options, timeout: this.timeout });
  }

  /** Takes the hold of a folder for which `isHeld` returned false. If several processes do so at once, the last one wins. */
  async take(folder: string): Promise<SendingHold> {
    const file = path.join(folder, this.name);
    const { clock, holder = thisHolder() } = this.options;
    let text = '';
    await rm(file, { force: true });
    const handle = await open(file, 'wx', 0o600);
    try {
      const { ino } = await handle.stat();
      text = `${JSON.stringify({ ...holder, inode: ino })}\n${randomUUID()}`;
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
    this.own.add(folder);
    const isHeld = async () => (await readFile(file, 'utf8').catch(() => '')) === text;
    const beat = async () => {
      // A process that was suspended must not keep another one's hold alive.
      if (await isHeld()) {
        const now = new Date(clock.now());
        await utimes(file, now, now);
      }
    };
    const timer = setInterval(() => void beat().catch(() => undefined), this.timeout / 4).unref();
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
    // An earlier process may have had the same ID as this one.
    return this.own.has(folder) || (await this.heartbeats.isBeating(path.join(folder, this.name)));
  }

  /**
   * Returns whether the process that took the hold of a folder is known to have ended. Returns false if that is unknown: the hold is
   * missing, a copy, or from another host, boot or PID namespace. The original of a copied ledger may still be sending.
   */
  async hasEnded(folder: string): Promise<boolean> {
    const file = path.join(folder, this.name);
    const [text, found] = await Promise.all([readFile(file, 'utf8').catch(() => ''), stat(file).catch(() => undefined)]);
    return text.includes(`"inode":${found?.ino}}\n`) && (await lifeOf(parseHolder(text))) === 'dead';
  }

  /** Deletes the hold of a process that seems dead. A live process notices that. */
  async remove(folder: string): Promise<void> {
    await rm(path.join(folder, this.name), { force: true });
  }
}
