import { randomUUID } from 'node:crypto';
import { open, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { undefinedIfMissing } from '../../common/files/undefinedIfMissing';
import { lifeOf, parseHolder, thisHolder } from './lockHolder';

/** Thrown if another process took over a folder's lock because this process stalled. The work under the lock must stop. */
export class LockLostError extends Error {
  override readonly name = 'LockLostError';
}

/** Proof that a process holds a folder's lock. */
export type Fence = Pick<Lock, 'token' | 'isHeld' | 'check'>;

const lockName = 'submission.lock';
/**
 * Content of a lock file that nobody holds, written on release after a takeover, so that a late holder can't reuse the number of the file.
 */
const freeText = 'free';
const heartbeat = 1_000;
/** Time in milliseconds without a heartbeat, by the waiting process's monotonic clock, after which a lock is taken over. */
const lockAge = 5_000;
/**
 * Time in milliseconds after which a lock file that names no holder is taken over. A holder writes its name immediately, unless its process
 * ends.
 */
const namelessAge = 500;

/**
 * Runs `action` while no other process holds the lock of a folder. A holder that has ended, or stalled for five seconds, loses the lock.
 * The waiting process that creates the file with the next number takes the lock over. The old holder detects this by its fence.
 */
export async function withFolderLock<T>(folder: string, action: (fence: Fence) => Promise<T>): Promise<T> {
  const lock = await acquire(folder);
  // On a slow disk with many submissions, `action` can take longer than the maximum time without a heartbeat.
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

/** Suffix of temporary files that only the lock's holder may publish. */
const fencedEnd = '.fenced.tmp';

/** Returns the name of a temporary file that replaces `name` under a lock. */
export function fencedName(name: string, { token }: Pick<Fence, 'token'>): string {
  return `${name}.${token}${fencedEnd}`;
}

class Lock {
  readonly file: string;

  constructor(
    private readonly folder: string,
    private readonly number: number,
    /** Part of the names of temporary files. The next holder deletes files with another token, so that they can't replace anything. */
    readonly token: string,
    /** Content of the file. Empty if the disk was full. */
    private readonly text: string,
    private readonly inode: number,
  ) {
    this.file = fileOf(folder, number);
  }

  async isHeld(): Promise<boolean> {
    const [numbers, current] = await Promise.all([numbersIn(this.folder), readLock(this.file)]);
    return numbers.at(-1) === this.number && current?.text === this.text && current.inode === this.inode;
  }

  /** Throws a `LockLostError` if the lock is lost. Call it right before each change under the lock. */
  async check(): Promise<void> {
    if (!(await this.isHeld())) {
      throw new LockLostError(`Another window took over ${this.folder} while this one was suspended.`);
    }
  }

  /** Releases the lock. Never rejects. A lock that can't be removed is taken over like the lock of a dead holder. */
  async release(): Promise<void> {
    try {
      const current = await readLock(this.file);
      if (current?.text !== this.text || current.inode !== this.inode) {
        return;
      }
      if (this.number > 1) {
        // Either this process or the process that takes over can create this file, but not both.
        await writeNew(fileOf(this.folder, this.number + 1), freeText);
      }
      await rm(this.file, { force: true });
    } catch {
      // The next process takes the lock over.
    }
  }

  /** Deletes the files of earlier holders, so that they can't publish anything. */
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

/** A lock file with the time of its last change, by the monotonic clock. */
interface ObservedLock extends LockFile {
  readonly number: number;
  readonly since: number;
}

async function acquire(folder: string): Promise<Lock> {
  let observed: ObservedLock | undefined;
  for (let attempt = 0; ; attempt++) {
    const numbers = await numbersIn(folder);
    const highest = numbers.at(-1);
    observed = highest === undefined ? undefined : await observe(folder, highest, observed);
    if (highest === undefined || observed?.text === freeText || (observed !== undefined && (await isLeftBehind(observed)))) {
      const lock = await tryTake(folder, numbers, observed);
      if (lock !== undefined) {
        return lock;
      }
    }
    // Polls, because there is no event when another process deletes a file.
    await new Promise(resolve => setTimeout(resolve, Math.min(5 * (attempt + 1), 50)));
  }
}

/** Creates the file with the next number. Returns `undefined` if another process was faster. */
async function tryTake(folder: string, numbers: readonly number[], before: ObservedLock | undefined): Promise<Lock | undefined> {
  const number = (numbers.at(-1) ?? 0) + 1;
  const token = randomUUID();
  const file = fileOf(folder, number);
  const created = await writeNew(file, `${JSON.stringify(thisHolder())}\n${token}`);
  if (created === undefined) {
    return undefined;
  }
  const lock = new Lock(folder, number, token, created.text, created.inode);
  try {
    const current = before && (await readLock(fileOf(folder, before.number)));
    const isPassed = before !== undefined && before.text !== freeText && (current?.inode !== before.inode || current.text !== before.text);
    if (isPassed || !(await lock.isHeld())) {
      // The previous holder released the lock, or another process took over, in the meantime.
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

/** Returns the numbers of the folder's lock files, ascending. The file with the highest number is the current lock. */
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

async function observe(folder: string, number: number, before: ObservedLock | undefined): Promise<ObservedLock | undefined> {
  const found = await readLock(fileOf(folder, number));
  if (found === undefined) {
    return undefined;
  }
  const isSame =
    before?.number === number && before.text === found.text && before.inode === found.inode && before.modified === found.modified;
  return isSame ? before : { ...found, number, since: performance.now() };
}

async function isLeftBehind({ text, since }: ObservedLock): Promise<boolean> {
  const age = performance.now() - since;
  return text === '' ? age > namelessAge : age > lockAge || (await lifeOf(parseHolder(text))) === 'dead';
}

interface LockFile {
  readonly text: string;
  readonly inode: number;
  readonly modified: number;
}

async function readLock(file: string): Promise<LockFile | undefined> {
  const [text, found] = await Promise.all([readFile(file, 'utf8').catch(undefinedIfMissing), stat(file).catch(undefinedIfMissing)]);
  return text === undefined || found === undefined ? undefined : { text, inode: found.ino, modified: found.mtimeMs };
}

/** Creates a file and returns its content. Returns `undefined` if the file exists. */
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
        // An empty file fits on a full disk.
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
