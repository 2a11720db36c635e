import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Clock, systemClock } from '../../../common/clock';
import { undefinedIfMissing } from '../../../common/files/undefinedIfMissing';
import { describeError } from '../../../common/text/describeError';
import { defined } from '../../../shared/defined';
import { type HolderLife, type LockHolder, type SendingHold, SendingHolds, withFolderLock } from '../../ledger';

export const leaseName = 'watch.lease';
/** Time without a heartbeat after which an owner counts as asleep, by the reader's monotonic clock, in milliseconds. */
const leaseTimeout = 8_000;

export interface WatchLeaseOptions {
  readonly folder: string;
  readonly warn: (message: string) => void;
  readonly clock?: Clock;
  readonly holder?: LockHolder;
  readonly lifeOf?: (holder: LockHolder | undefined) => Promise<HolderLife>;
  /** Returns whether this extension host still has a window. Without a window, it must not take the lease. */
  readonly isWindowThere?: () => Promise<boolean>;
}

/**
 * Lease that decides which window polls the batches of this machine. Its file names the owner, which touches it every two seconds. If the
 * owner ends, another window takes the lease at its next poll. If the owner's process sleeps, another window takes the lease within
 * seconds. An owner that lost the lease notices the loss before its next round.
 */
export class WatchLease {
  private readonly holds: SendingHolds;
  private hold: SendingHold | undefined;
  private hasWarned = false;

  constructor(private readonly options: WatchLeaseOptions) {
    const { clock = systemClock, holder, lifeOf } = options;
    this.holds = new SendingHolds({
      clock,
      name: leaseName,
      timeout: leaseTimeout,
      outlastsSilence: false,
      ...defined({ holder, lifeOf }),
    });
  }

  /**
   * Takes the lease, unless another window has it or this window no longer exists. Returns true if the disk fails, so that some window
   * polls.
   */
  async take(): Promise<boolean> {
    const { folder, isWindowThere, warn } = this.options;
    if ((await isWindowThere?.()) === false) {
      await this.release();
      return false;
    }
    try {
      if ((await this.hold?.isHeld()) === true) {
        return true;
      }
      await this.release();
      // Throws if the hold is unreadable. `isHeld` would count it as held, and no window would poll.
      await readFile(path.join(folder, leaseName)).catch(undefinedIfMissing);
      if (await this.holds.isHeld(folder)) {
        return false;
      }
      return await withFolderLock(folder, async () => {
        if (await this.holds.isHeld(folder)) {
          return false;
        }
        this.hold = await this.holds.take(folder);
        return true;
      });
    } catch (error) {
      if (!this.hasWarned) {
        this.hasWarned = true;
        warn(`Could not select the window that polls batches: ${describeError(error)}`);
      }
      return true;
    }
  }

  async release(): Promise<void> {
    const { hold } = this;
    this.hold = undefined;
    await hold?.release();
  }
}
