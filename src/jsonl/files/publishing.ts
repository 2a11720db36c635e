import { constants } from 'node:fs';
import { copyFile, link, open, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** What is known of a file that stands somewhere: changes with every writing of it. Undefined where nothing stands. */
export type FileStamp = string | undefined;

/** What stood at a path when it was decided that a file goes there: only that may be replaced. */
export interface Standing {
  readonly stamp: FileStamp;
}

/** The stamp of what stands at a path. Rejects when the disk does not tell. */
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

/** Renames over whatever stands at `to`, waiting a little while another program is in the way. */
export async function renameOver(from: string, to: string): Promise<void> {
  await whileBusy(() => rename(from, to));
}

/** Gives a file the name `to` when nothing has it, in one step; else the next free one: `a.jsonl`, `a-2.jsonl` and so on. Returns it. */
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

/** What disks say that know no second name of a file, or not from there. */
const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL', 'EXDEV']);

/** Gives a file a second name that nothing has, or makes a copy where the disk knows no second names. */
export async function keepUnder(file: string, kept: string): Promise<void> {
  // A second name of a link would follow it to what is put in the file's place.
  const place = await realpath(file);
  try {
    await link(place, kept);
  } catch (error) {
    if (!noLinks.has(codeOf(error) ?? '')) {
      throw error;
    }
    await copyFile(place, kept, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  }
}

async function renameToNew(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!noLinks.has(codeOf(error) ?? '')) {
      throw error;
    }
    // The name is taken first, as only one can; then what has it is ours.
    await (await open(to, 'wx', 0o600)).close();
    await renameOver(from, to).catch(async (failure: unknown) => {
      await rm(to, { force: true }).catch(() => undefined);
      throw failure;
    });
    return;
  }
  // It stands where it should: a name that is left over here is no reason to try once more.
  await rm(from, { force: true }).catch(() => undefined);
}

const busyCodes = new Set(['EPERM', 'EACCES', 'EBUSY']);
const attempts = 10;
const pauseMs = 20;

/** Windows refuses while a scanner or another window has a file open. */
async function whileBusy(act: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await act();
      return;
    } catch (error) {
      if (!busyCodes.has(codeOf(error) ?? '') || attempt === attempts) {
        throw error;
      }
      await new Promise(resolve => setTimeout(resolve, pauseMs * attempt));
    }
  }
}

/** The code of a failure that the system told; undefined for any other. */
export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}
