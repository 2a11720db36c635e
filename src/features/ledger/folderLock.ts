import { randomUUID } from 'node:crypto';
import { open, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { lifeOf, parseHolder, thisHolder } from './lockHolder';

/** Another process has taken a folder's lock over, because this one stood still for too long: what it was at must not go on. */
export class LockLostError extends Error {
  override readonly name = 'LockLostError';
}

/** What the one that holds a folder's lock proves itself by. */
export interface Fence {
  /** Part of the names of this holder's temporary files: whoever takes the lock over removes those of others, so that none of them replaces anything. */
  readonly token: string;
  /** Whether the lock is still this one's. */
  isHeld(): Promise<boolean>;
  /** Throws `LockLostError` when it is not; to be asked right before each change of what the lock guards. */
  check(): Promise<void>;
}

const lockName = 'submission.lock';
/** What ends a lock that was taken over once: the numbers of such a folder go on, so that a late holder finds none of its own. */
const freeText = 'free';
const heartbeat = 1_000;
/** A lock that its holder does not touch for this long, by the monotonic clock of the one who waits, is taken over. */
const lockAge = 5_000;
/** The same for a lock without its holder's name: it is younger than that by far, unless the holder ended just then. */
const namelessAge = 500;

/**
 * Runs `action` while no other process that asks the same way works on this folder. A holder that ended, or stood still for five
 * seconds, is passed by: of several that wait one takes the lock over, by making the file with the next number, which only one can.
 * The one that was passed by finds that out from its fence.
 */
export async function withFolderLock<T>(folder: string, action: (fence: Fence) => Promise<T>): Promise<T> {
  const lock = await acquire(folder);
  // On a slow disk with many submissions it takes longer than a lock may be silent.
  const timer = setInterval(() => {
    const now = new Date();
    utimes(lock.file, now, now).catch(() => undefined);
  }, heartbeat).unref();
  try {
    return await action(lock);
  } finally {
    clearInterval(timer);
    await lock.release();
  }
}

/** End of the names of files that only the holder of the lock puts in place. */
const fencedEnd = '.fenced.tmp';

/** Name for what is to replace a file once it is whole, under a lock. */
export function fencedName(name: string, { token }: Pick<Fence, 'token'>): string {
  return `${name}.${token}${fencedEnd}`;
}

class Lock implements Fence {
  readonly file: string;

  constructor(
    private readonly folder: string,
    private readonly number: number,
    readonly token: string,
    /** What the file holds: less than was to be written where the disk is full. */
    private readonly text: string,
    private readonly inode: number,
  ) {
    this.file = fileOf(folder, number);
  }

  async isHeld(): Promise<boolean> {
    const [numbers, there] = await Promise.all([numbersIn(this.folder), readLock(this.file)]);
    return numbers.at(-1) === this.number && there?.text === this.text && there.inode === this.inode;
  }

  async check(): Promise<void> {
    if (!(await this.isHeld())) {
      throw new LockLostError(`Another window has taken over ${this.folder} while this one stood still.`);
    }
  }

  /** Never rejects: a lock that stays is passed by like that of a holder that ended. */
  async release(): Promise<void> {
    try {
      const there = await readLock(this.file);
      if (there?.text !== this.text || there.inode !== this.inode) {
        return;
      }
      if (this.number > 1) {
        // Only one can make it: this one, or the one that takes over.
        await writeNew(fileOf(this.folder, this.number + 1), freeText);
      }
      await rm(this.file, { force: true });
    } catch {
      // The next one passes it by.
    }
  }

  /** Takes away what earlier holders left, so that none of them can put it in place any more. */
  async clear(numbers: readonly number[]): Promise<void> {
    for (const number of numbers.filter(number => number < this.number)) {
      await rm(fileOf(this.folder, number), { force: true });
    }
    for (const name of await readdir(this.folder)) {
      if (name.endsWith(fencedEnd) && !name.includes(this.token)) {
        await rm(path.join(this.folder, name), { force: true });
      }
    }
  }
}

/** A lock as it was seen, and since when it is like that, by the monotonic clock. */
interface SeenLock extends LockFile {
  readonly number: number;
  readonly since: number;
}

async function acquire(folder: string): Promise<Lock> {
  let seen: SeenLock | undefined;
  for (let attempt = 0; ; attempt++) {
    const numbers = await numbersIn(folder);
    const top = numbers.at(-1);
    seen = top === undefined ? undefined : await look(folder, top, seen);
    if (top === undefined || seen?.text === freeText || (seen !== undefined && (await isLeftBehind(seen)))) {
      const lock = await tryTake(folder, numbers, seen);
      if (lock !== undefined) {
        return lock;
      }
    }
    // Nothing tells one process that another one deleted a file sooner than looking again.
    await new Promise(resolve => setTimeout(resolve, Math.min(5 * (attempt + 1), 50)));
  }
}

/** Makes the file with the next number; undefined when another process was faster, here or before. */
async function tryTake(folder: string, numbers: readonly number[], before: SeenLock | undefined): Promise<Lock | undefined> {
  const number = (numbers.at(-1) ?? 0) + 1;
  const token = randomUUID();
  const file = fileOf(folder, number);
  const made = await writeNew(file, `${JSON.stringify(thisHolder())}\n${token}`);
  if (made === undefined) {
    return undefined;
  }
  const lock = new Lock(folder, number, token, made.text, made.inode);
  try {
    const there = before && (await readLock(fileOf(folder, before.number)));
    const isPassed = before !== undefined && before.text !== freeText && (there?.inode !== before.inode || there.text !== before.text);
    if (isPassed || !(await lock.isHeld())) {
      // The one before let it go, or others went on from there, while this one looked.
      await rm(file, { force: true });
      return undefined;
    }
    await lock.clear(numbers);
    return lock;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** The numbers of the folder's lock files, ascending; the highest one counts. */
async function numbersIn(folder: string): Promise<readonly number[]> {
  const names = await readdir(folder);
  return names
    .filter(name => name === lockName || name.startsWith(`${lockName}.`))
    .map(name => (name === lockName ? 1 : Number(name.slice(lockName.length + 1))))
    .filter(number => Number.isSafeInteger(number) && number > 0)
    .sort((a, b) => a - b);
}

function fileOf(folder: string, number: number): string {
  return path.join(folder, number === 1 ? lockName : `${lockName}.${number}`);
}

async function look(folder: string, number: number, before: SeenLock | undefined): Promise<SeenLock | undefined> {
  const found = await readLock(fileOf(folder, number));
  if (found === undefined) {
    return undefined;
  }
  const isSame =
    before?.number === number && before.text === found.text && before.inode === found.inode && before.modified === found.modified;
  return isSame ? before : { ...found, number, since: performance.now() };
}

async function isLeftBehind({ text, since }: SeenLock): Promise<boolean> {
  const age = performance.now() - since;
  return text === '' ? age > namelessAge : age > lockAge || (await lifeOf(parseHolder(text))) === 'dead';
}

interface LockFile {
  readonly text: string;
  readonly inode: number;
  readonly modified: number;
}

async function readLock(file: string): Promise<LockFile | undefined> {
  try {
    const [text, { ino: inode, mtimeMs: modified }] = await Promise.all([readFile(file, 'utf8'), stat(file)]);
    return { text, inode, modified };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}

/** Makes a file that is not there yet, and gives what it came to hold; undefined when it is there. */
async function writeNew(file: string, text: string): Promise<{ readonly text: string; readonly inode: number } | undefined> {
  try {
    const handle = await open(file, 'wx', 0o600);
    try {
      const { ino: inode } = await handle.stat();
      const isWritten = await handle.writeFile(text).then(
        () => true,
        () => false,
      );
      if (!isWritten) {
        // A full disk still holds the empty file.
        await handle.truncate(0);
      }
      return { text: isWritten ? text : '', inode };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      return undefined;
    }
    throw error;
  }
}
