import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { SessionReference } from '../../../contributions';
import { claimEvent } from '../rules/auditFile';

/** Age after which a claim is deleted, in milliseconds. */
const longestKept = 7 * 24 * 3_600_000;

/** Lets one of several windows notify about an event: the first one that creates the file of the event. */
export class NotificationClaims {
  private swept = false;

  constructor(
    private readonly folder: string,
    private readonly now: () => number,
  ) {}

  /** Returns whether this window notifies. If the file can't be written, every window does: twice is better than never. */
  async claim(reference: SessionReference, eventId: string): Promise<boolean> {
    try {
      await this.sweep();
      return await claimEvent(this.folder, reference, eventId);
    } catch {
      return true;
    }
  }

  private async sweep(): Promise<void> {
    if (this.swept) {
      return;
    }
    this.swept = true;
    for (const name of await readdir(this.folder).catch(() => [])) {
      const file = path.join(this.folder, name);
      // Another window may have deleted it already.
      const { mtimeMs } = (await stat(file).catch(() => undefined)) ?? { mtimeMs: this.now() };
      if (this.now() - mtimeMs > longestKept) {
        await rm(file, { force: true });
      }
    }
  }
}
