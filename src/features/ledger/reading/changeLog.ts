import { randomUUID } from 'node:crypto';
import { open, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { undefinedIfMissing } from '../../../common/files/undefinedIfMissing';

/** Name of the file in the ledger's folder in which each window tells what it wrote. */
export const changedName = 'changed';

/** Bytes after which the file is begun anew. */
const longest = 32_768;

/**
 * What windows tell each other: a line for each submission that one wrote or removed, so that the others look at that one and at no
 * other, and none at what it wrote itself. A line is told when what it tells of is on disk. Where lines can have been lost, because the
 * file was begun anew or an older version wrote into it, nothing is said to be known.
 */
export class ChangeLog {
  /** Not a number: an older version writes the id of its process over the beginning of the file. */
  private readonly own = `by ${randomUUID()} `;
  /** What was read of it last; undefined when that says nothing of what comes after. */
  private known: string | undefined;
  private isBroken = false;

  constructor(private readonly root: string) {}

  /** Tells all windows that a submission was written or removed. On a disk that refuses it they find out at their next slow look. */
  async tell(id: string): Promise<void> {
    const file = path.join(this.root, changedName);
    try {
      const isFull = !this.isBroken && (await append(file, `${this.own}${id}\n`)) > longest;
      if (isFull || this.isBroken) {
        this.isBroken = false;
        await writeFile(file, `begun ${randomUUID()}\n`, { mode: 0o600 });
      }
    } catch {
      // They look now and then, whatever is told.
    }
  }

  /** Passes by what was told until now, because everything is about to be read. */
  async skip(): Promise<void> {
    this.known = await this.read();
  }

  /** Has the next answer be that nothing is known, because what was told of could not be read. */
  forget(): void {
    this.known = undefined;
  }

  /** The submissions that other windows told of since this was last asked; undefined when they can be any. */
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

  /** All of it; undefined when not all of it can be understood. */
  private async read(): Promise<string | undefined> {
    const text = await readFile(path.join(this.root, changedName), 'utf8').catch(undefinedIfMissing);
    this.isBroken = text !== undefined && !whole.test(text);
    return this.isBroken ? undefined : (text ?? '');
  }
}

/** One beginning, which may be missing where the first one to tell made the file, and lines of windows. */
const whole = /^(?:begun [\w-]+\n)?(?:by [\w-]+ [\w-]+\n)*$/;

/** Writes behind what others wrote; answers how long the file is. */
async function append(file: string, line: string): Promise<number> {
  const handle = await open(file, 'a', 0o600);
  try {
    await handle.writeFile(line);
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}
