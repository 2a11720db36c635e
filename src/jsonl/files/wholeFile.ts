import { randomBytes } from 'node:crypto';
import { writeSync } from 'node:fs';
import { type FileHandle, lstat, open, readdir, realpath, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { orAborted } from '../../shared/orAborted';
import { codeOf, type ReplaceableTarget, renameOver, renameToFree, stampOfFile } from './publishing';

/**
 * Thrown if a file could not be written. `code` is the system's error code (such as `ENOSPC`), or `ENOTFILE` if the path is not a regular
 * file. Name and code survive the transfer from a thread.
 */
export class FileWriteError extends Error {
  override readonly name = 'FileWriteError';

  constructor(
    message: string,
    readonly code: string,
    readonly path: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** Size of one blocking write, in bytes. Linux takes up to ten times as long for much longer writes. */
const writeBytes = 256 << 10;

/** System calls that write to a disk. They are in an object so that tests can replace them with failing ones. */
export const diskCalls = {
  write: (file: FileHandle, bytes: Uint8Array, offset: number): number =>
    writeSync(file.fd, bytes, offset, Math.min(bytes.length - offset, writeBytes)),
  writeMany: async (file: FileHandle, chunks: readonly Uint8Array[]): Promise<number> => (await file.writev(chunks)).bytesWritten,
  sync: (file: FileHandle): Promise<void> => file.sync(),
};

/** Age after which a `.part` file of an ended process counts as left by a crash, in milliseconds. */
const staleMs = 60_000;
/** Age after which any `.part` file is removed, in milliseconds. No process writes a file for this long. */
const abandonedMs = 24 * 3_600_000;

/**
 * File that appears complete or not at all. The file is written as `<path>.<process>-<random>.part` in the same folder (mode 0600), synced,
 * then renamed over `path`. Until `publish`, and after `discard`, the file at `path` is unchanged. A link or folder at `path` is never
 * followed or replaced. Throws `FileWriteError`s.
 */
export class WholeFile {
  private file: FileHandle | undefined;
  private writtenBytes = 0;
  private readonly flushes: Promise<void>[] = [];

  private constructor(
    readonly path: string,
    readonly partPath: string,
    file: FileHandle,
    private readonly mode?: number,
  ) {
    this.file = file;
  }

  static async write(target: string, text: string): Promise<void> {
    const file = await WholeFile.create(target);
    try {
      await file.appendAll([Buffer.from(text)]);
      await file.finish();
      await file.publish();
    } finally {
      await file.discard();
    }
  }

  /** Creates the temporary file. Removes temporary files that crashed processes left for the same `path`. */
  static async create(target: string, mode?: number): Promise<WholeFile> {
    const partPath = `${target}.${process.pid}-${randomBytes(6).toString('hex')}.part`;
    try {
      await refuseOddPlace(target);
      await removeStaleParts(target);
      return new WholeFile(target, partPath, await open(partPath, 'wx', 0o600), mode);
    } catch (error) {
      throw toWriteError(error, target);
    }
  }

  /** Like `create`, but replaces an existing file and copies its permissions. Follows a symbolic link. */
  static async replace(target: string): Promise<WholeFile> {
    try {
      const resolved = await realpath(target);
      return await WholeFile.create(resolved, (await stat(resolved)).mode & 0o777);
    } catch (error) {
      throw toWriteError(error, target);
    }
  }

  get byteLength(): number {
    return this.writtenBytes;
  }

  /** Appends `bytes`. Blocks, so use it in a worker thread. */
  append(bytes: Uint8Array): void {
    try {
      for (let offset = 0; offset < bytes.length; ) {
        offset += diskCalls.write(this.open(), bytes, offset);
      }
    } catch (error) {
      throw toWriteError(error, this.path);
    }
    this.writtenBytes += bytes.length;
  }

  /** Appends all chunks without blocking. Must not be called again before the previous call has settled. */
  async appendAll(chunks: readonly Uint8Array[]): Promise<void> {
    let rest = chunks;
    while (rest.length > 0) {
      let written: number;
      try {
        written = await diskCalls.writeMany(this.open(), rest);
      } catch (error) {
        throw toWriteError(error, this.path);
      }
      this.writtenBytes += written;
      rest = dropBytes(rest, written);
    }
  }

  /** Starts to sync the written bytes to disk, so that `finish` takes less time. If this fails, `finish` fails. */
  flush(): void {
    const flushed = diskCalls.sync(this.open());
    flushed.catch(() => {});
    this.flushes.push(flushed);
  }

  /** Syncs the bytes to disk and closes the file. Stops waiting when `signal` is aborted. */
  async finish(signal?: AbortSignal): Promise<void> {
    const file = this.open();
    try {
      if (this.mode !== undefined) {
        await file.chmod(this.mode);
      }
      // The system reports a write error only once, to the first sync.
      await orAborted(Promise.all([...this.flushes, diskCalls.sync(file)]), signal);
      this.file = undefined;
      await file.close();
    } catch (error) {
      throw toWriteError(error, this.path);
    }
  }

  /** Renames a finished file to `path`, or to another name in the same folder, atomically. */
  async publish(target = this.path): Promise<void> {
    await this.put(target, async () => {
      await refuseOddPlace(target);
      await renameOver(this.partPath, target);
    });
  }

  /**
   * Publishes the file. If the file at `path` has changed since `existing`, publishes under the next free number instead. Without
   * `existing`, replaces any file. Returns the final path.
   */
  async publishOver(existing: ReplaceableTarget | undefined): Promise<string> {
    if (existing === undefined || (existing.stamp !== undefined && existing.stamp === (await stampOfFile(this.path)))) {
      await this.publish();
      return this.path;
    }
    return await this.put(this.path, () => renameToFree(this.partPath, this.path));
  }

  private async put<T>(target: string, act: () => Promise<T>): Promise<T> {
    if (this.file !== undefined) {
      throw new Error('Finish the file before publishing it.');
    }
    try {
      const done = await act();
      await syncFolder(path.dirname(target));
      return done;
    } catch (error) {
      throw toWriteError(error, target);
    }
  }

  /** Removes the temporary file. Does nothing after `publish`. */
  async discard(): Promise<void> {
    const file = this.file;
    this.file = undefined;
    // Removes the file before closing it, because closing waits for a running write or sync, which can take long.
    await rm(this.partPath, { force: true }).catch(() => {});
    const closed = file?.close().catch(() => {});
    await Promise.race([closed, delay(100, undefined, { ref: false })]);
    await rm(this.partPath, { force: true }).catch(() => {});
  }

  private open(): FileHandle {
    if (this.file === undefined) {
      throw new Error(`${this.partPath} is closed.`);
    }
    return this.file;
  }
}

async function refuseOddPlace(target: string): Promise<void> {
  const existing = await lstat(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') {
      return undefined;
    }
    throw error;
  });
  if (existing !== undefined && !existing.isFile()) {
    const what = existing.isSymbolicLink() ? 'a link' : existing.isDirectory() ? 'a folder' : 'no plain file';
    throw new FileWriteError(`${target} was not written: it is ${what}. Move it away or choose another name.`, 'ENOTFILE', target);
  }
}

async function removeStaleParts(target: string): Promise<void> {
  const folder = path.dirname(target);
  const start = `${path.basename(target)}.`;
  for (const name of await readdir(folder)) {
    const owner = name.startsWith(start) ? /^(\d+)-[0-9a-f]{12}\.part$/.exec(name.slice(start.length))?.[1] : undefined;
    if (owner === undefined) {
      continue;
    }
    const file = path.join(folder, name);
    const silentMs =
      Date.now() -
      (await stat(file).then(
        found => found.mtimeMs,
        () => Date.now(),
      ));
    // The folder can be shared with another machine or container, where the process may still be running.
    if (silentMs > abandonedMs || (silentMs > staleMs && !isRunning(Number(owner)))) {
      await rm(file, { force: true });
    }
  }
}

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Syncs a folder to make renames in the folder durable. Does nothing if the system doesn't support it. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

function dropBytes(chunks: readonly Uint8Array[], count: number): readonly Uint8Array[] {
  let index = 0;
  let rest = count;
  while (index < chunks.length && rest >= (chunks[index] as Uint8Array).length) {
    rest -= (chunks[index] as Uint8Array).length;
    index++;
  }
  const remaining = chunks.slice(index);
  if (rest > 0) {
    remaining[0] = (remaining[0] as Uint8Array).subarray(rest);
  }
  return remaining;
}

function toWriteError(error: unknown, target: string): unknown {
  const code = codeOf(error);
  if (error instanceof FileWriteError || typeof code !== 'string' || (error as Error).name === 'AbortError') {
    return error;
  }
  return new FileWriteError(`${target} was not written: ${reasons.get(code) ?? `the system said ${code}.`}`, code, target, error);
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'the disk is full. Free some space and try again.'],
  ['EDQUOT', 'your quota on this disk is used up. Free some space and try again.'],
  ['EACCES', 'you may not write there. Change the permissions or choose another folder.'],
  ['EPERM', 'the system does not allow it. The file may be open in another program.'],
  ['EROFS', 'the disk is read-only. Choose another folder.'],
  ['ENOENT', 'its folder does not exist any more.'],
  ['EBUSY', 'it is in use by another program. Close it there and try again.'],
  ['EFBIG', 'it is larger than this disk allows for one file.'],
  ['EIO', 'the disk reported an error.'],
]);
