import { readFile, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Clock, systemClock } from '../../../common/clock';
import { undefinedIfMissing } from '../../../common/files/undefinedIfMissing';
import { describeError } from '../../../common/text/describeError';
import { Heartbeats, type HolderLife, type LockHolder, lifeOf, parseHolder, thisHolder, withFolderLock } from '../../ledger';

const leaseName = 'watch.lease';
const focusName = 'watch.focus';
const heartbeat = 2_000;
/** Milliseconds without a heartbeat, by the reader's monotonic clock, after which an owner is asleep. */
const leaseTimeout = 8_000;

/** Names of the lease files. */
export const leaseFiles: ReadonlySet<string> = new Set([leaseName, focusName]);

export interface WatchLeaseOptions {
  /** The ledger's folder. */
  readonly folder: string;
  readonly warn: (message: string) => void;
  readonly clock?: Clock;
  readonly holder?: LockHolder;
  readonly lifeOf?: (holder: LockHolder | undefined) => Promise<HolderLife>;
  /** Returns whether this extension host still has a window. Without one it takes no lease. */
  readonly isWindowThere?: () => Promise<boolean>;
}

/**
 * Lease that decides which window polls the batches of this machine. Its file names the owner, which touches it every two seconds. If the
 * owner dies, another window takes it at its next poll; if it sleeps, within seconds. An owner that lost the lease notices before its next
 * round.
 */
export class WatchLease {
  private readonly clock: Clock;
  private readonly holder: string;
  private readonly lifeOf: (holder: LockHolder | undefined) => Promise<HolderLife>;
  private readonly heartbeats: Heartbeats;
  private readonly name: string;
  private timer: NodeJS.Timeout | undefined;
  private sharedFocus = false;
  private hasWarned = false;

  constructor(private readonly options: WatchLeaseOptions) {
    this.clock = options.clock ?? systemClock;
    this.holder = JSON.stringify(options.holder ?? thisHolder());
    this.lifeOf = options.lifeOf ?? lifeOf;
    this.heartbeats = new Heartbeats({ clock: this.clock, timeout: leaseTimeout, outlastsSilence: false, lifeOf: this.lifeOf });
    this.name = `${this.holder}\n${crypto.randomUUID()}`;
  }

  /** True if this window held the lease at the last check. */
  get isHeld(): boolean {
    return this.timer !== undefined;
  }

  /**
   * Takes the lease, unless another window has it or this window is gone. Also returns true if the disk refuses: polling twice is better
   * than never.
   */
  async take(): Promise<boolean> {
    const file = path.join(this.options.folder, leaseName);
    if ((await this.options.isWindowThere?.()) === false) {
      await this.dispose();
      return false;
    }
    try {
      if ((await this.owner()) === this.name) {
        if (!this.isHeld) {
          this.beat(file);
        }
        return true;
      }
      this.stopBeating();
      if (await this.heartbeats.isBeating(file)) {
        return false;
      }
      return await withFolderLock(this.options.folder, async () => {
        if (await this.heartbeats.isBeating(file)) {
          return false;
        }
        await writeFile(file, this.name, { mode: 0o600 });
        this.beat(file);
        return true;
      });
    } catch (error) {
      if (!this.hasWarned) {
        this.hasWarned = true;
        this.options.warn(`Windows cannot agree on one that watches batches: ${describeError(error)}`);
      }
      return true;
    }
  }

  /** Gives up the lease. */
  async release(): Promise<void> {
    if (!this.isHeld) {
      return;
    }
    this.stopBeating();
    try {
      if ((await this.owner()) === this.name) {
        await rm(path.join(this.options.folder, leaseName), { force: true });
      }
    } catch {
      // Without a heartbeat the lease expires.
    }
  }

  /** Tells other windows whether this one is focused. */
  async shareFocus(isFocused: boolean): Promise<void> {
    if (isFocused === this.sharedFocus) {
      return;
    }
    this.sharedFocus = isFocused;
    const file = path.join(this.options.folder, focusName);
    try {
      if (isFocused) {
        await writeFile(file, this.holder, { mode: 0o600 });
      } else if ((await readFile(file, 'utf8')) === this.holder) {
        await rm(file, { force: true });
      }
    } catch {
      // Only the poll interval depends on it.
    }
  }

  /** Returns whether some window is focused. */
  async isSomeFocused(): Promise<boolean> {
    try {
      return (await this.lifeOf(parseHolder(await readFile(path.join(this.options.folder, focusName), 'utf8')))) !== 'dead';
    } catch {
      return false;
    }
  }

  /** Settles when the files of this window are deleted. */
  async dispose(): Promise<void> {
    await Promise.all([this.release(), this.shareFocus(false)]);
  }

  private async owner(): Promise<string | undefined> {
    return await readFile(path.join(this.options.folder, leaseName), 'utf8').catch(undefinedIfMissing);
  }

  private beat(file: string): void {
    const touch = async () => {
      // A window that slept must not keep another one's lease alive.
      if ((await this.owner()) === this.name) {
        const now = new Date(this.clock.now());
        await utimes(file, now, now);
      } else {
        this.stopBeating();
      }
    };
    this.timer = setInterval(() => void touch().catch(() => undefined), heartbeat).unref();
  }

  private stopBeating(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
