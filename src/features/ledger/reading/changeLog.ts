import { randomUUID } from 'node:crypto';
import { open, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { undefinedIfMissing } from '../../../common/files/undefinedIfMissing';

/** Name of the file in the ledger's folder in which windows list their writes. */
export const changedName = 'changed';

/** Size in bytes after which the file is rewritten. */
const longest = 32_768;

/**
 * Log of writes that all windows share: a line for each submission that a window wrote or removed, so that the others read only that one. A
 * line is added after the write is on disk. If lines may be missing, because the file was rewritten or an older version wrote to it,
 * readers read everything.
 */
export class ChangeLog {
  /** Starts with a letter: an older version writes its process ID over the start of the file. */
  private readonly own = `by ${randomUUID()} `;
  /** Content at the last read. `undefined` if later lines can't be distinguished. */
  private known: string | undefined;
  private isBroken = false;

  constructor(private readonly root: string) {}

  /** Adds a line for a submission that was written or removed. If the disk refuses, other windows find out at their next slow poll. */
  async tell(id: string): Promise<void> {
    const file = path.join(this.root, changedName);
    try {
      const isFull = !this.isBroken && (await append(file, `${this.own}${id}\n`)) > longest;
      if (isFull || this.isBroken) {
        this.isBroken = false;
        await writeFile(file, `begun ${randomUUID()}\n`, { mode: 0o600 });
      }
    } catch {
      // Other windows also poll now and then.
    }
  }

  /** Skips all lines so far, because everything is about to be read. */
  async skip(): Promise<void> {
    this.known = await this.read();
  }

  /** Makes the next `news` return `undefined`, because reading failed. */
  forget(): void {
    this.known = undefined;
  }

  /** Returns the submissions that other windows changed since the last call; `undefined` if any may have changed. */
  async news(): Promise<ReadonlySet<string> | undefined> {
    const before = this.known;
    const now = await this.read();
    this.known = now;
    if (before === undefined || now === undefined || !now.startsWith(before)) {
      return undefined;
    }
    const lines = now.slice(before.length).split('\n').slice(0, -1);
    return new Set(lines.filter(line => !line.startsWith(this.own)).map(line => line.slice(line.lastIndexOf(' ') + 1)));
  }

  /** Returns the whole content; `undefined` if it can't be parsed. */
  private async read(): Promise<string | undefined> {
    const text = await readFile(path.join(this.root, changedName), 'utf8').catch(undefinedIfMissing);
    this.isBroken = text !== undefined && !whole.test(text);
    return this.isBroken ? undefined : (text ?? '');
  }
}

/** An optional first line, which is missing in a new file, and the lines of windows. */
const whole = /^(?:begun [\w-]+\n)?(?:by [\w-]+ [\w-]+\n)*$/;

/** Appends a line and returns the size of the file in bytes. */
async function append(file: string, line: string): Promise<number> {
  const handle = await open(file, 'a', 0o600);
  try {
    await handle.writeFile(line);
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}
