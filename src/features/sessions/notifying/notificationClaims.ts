import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { SessionReference } from '../../../contributions';

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
  async claim({ connection, sessionId }: SessionReference, eventId: string): Promise<boolean> {
    const name = createHash('sha256')
      .update(JSON.stringify([connection, sessionId, eventId]))
      .digest('hex');
    try {
      await mkdir(this.folder, { recursive: true });
      await this.sweep();
    } catch {
      return true;
    }
    try {
      await (await open(path.join(this.folder, name), 'wx', 0o600)).close();
      return true;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code !== 'EEXIST';
    }
  }

  private async sweep(): Promise<void> {
    if (this.swept) {
      return;
    }
    this.swept = true;
    for (const name of await readdir(this.folder)) {
      const file = path.join(this.folder, name);
      // Another window may have deleted it already.
      const { mtimeMs } = (await stat(file).catch(() => undefined)) ?? { mtimeMs: this.now() };
      if (this.now() - mtimeMs > longestKept) {
        await rm(file, { force: true });
      }
    }
  }
}
