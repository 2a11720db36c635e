import { constants } from 'node:fs';
import { copyFile, link, open, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type FileState, fileStateAt, isSameState } from './fileState';

/** Size and modification time of a file, which change with each write. `undefined` if there is no file. */
export type FileStamp = string | undefined;

/** State of a path when it was chosen as the target. Only a file in this state may be replaced. */
export interface ReplaceableTarget {
  readonly stamp: FileStamp;
}

/** Returns the stamp of the file at a path. Rejects if the disk can't be read. */
export async function stampOfFile(file: string): Promise<FileStamp> {
  try {
    const { size, mtimeMs } = await stat(file);
    return `${size}:${mtimeMs}`;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}

/** Returns the stamp of the file at a path. `undefined` if the path or the file is missing, or if the disk can't be read. */
export async function stampIfReadable(file: string | undefined): Promise<FileStamp> {
  return file === undefined ? undefined : await stampOfFile(file).catch(() => undefined);
}

/** Renames a file and replaces any file at `to`. Retries for a short time if another program uses one of the files. */
export async function renameOver(from: string, to: string): Promise<void> {
  await whileBusy(() => rename(from, to));
}

/** Renames a file to `to`, or to the next free name (`a.jsonl`, `a-2.jsonl` and so on), atomically. Returns the new path. */
export async function renameToFree(from: string, to: string): Promise<string> {
  const { dir, name, ext } = path.parse(to);
  for (let number = 1; ; number++) {
    const target = number === 1 ? to : path.join(dir, `${name}-${number}${ext}`);
    try {
      await whileBusy(() => renameToNew(from, target));
      return target;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') {
        throw error;
      }
    }
  }
}

/** Error codes of a failed hard link on a file system that doesn't support hard links, at least not at this location. */
const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL', 'EXDEV']);

/** Creates a hard link to a file at a free path, or a copy if the disk does not support links. */
export async function linkBackup(file: string, backupPath: string): Promise<void> {
  // A hard link to a symbolic link would lead to the new file.
  const target = await realpath(file);
  try {
    await link(target, backupPath);
  } catch (error) {
    if (!noLinks.has(codeOf(error) ?? '')) {
      throw error;
    }
    await copyFile(target, backupPath, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  }
}

async function renameToNew(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!noLinks.has(codeOf(error) ?? '')) {
      throw error;
    }
    // Creating an empty file reserves the name atomically. Renaming over it is then safe.
    await (await open(to, 'wx', 0o600)).close();
    await renameOver(from, to).catch(async (failure: unknown) => {
      await rm(to, { force: true }).catch(() => undefined);
      throw failure;
    });
    return;
  }
  // The file already has its new name, so a leftover temporary name is no reason to retry.
  await rm(from, { force: true }).catch(() => undefined);
}

const busyCodes = new Set(['EPERM', 'EACCES', 'EBUSY']);
const attempts = 10;
const pauseMs = 20;

/** Calls `act` again while Windows rejects it because a virus scanner or another window has the file open. */
async function whileBusy(act: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await act();
      return;
    } catch (error) {
      if (!busyCodes.has(codeOf(error) ?? '') || attempt === attempts) {
        throw error;
      }
      await delay(pauseMs * attempt);
    }
  }
}

/** Returns the error code of the system, or `undefined` for any other error. */
export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}

/** Moves a backup atomically over its replacement, following a link. Returns false and does nothing if that changed since `written`. */
export async function restoreFile(file: string, backupPath: string, written: FileState): Promise<boolean> {
  const target = await realpath(file);
  if (!isSameState(fileStateAt(target), written)) {
    return false;
  }
  await renameOver(backupPath, target);
  return true;
}
