import { readdir, rm, stat } from 'node:fs/promises';
import type { Fence } from './folderLock';
import { submissionFiles } from './submissionFile';

/** Age in milliseconds of a folder without a submission that is removed. A younger one may belong to a submit in progress. */
const orphanAge = 24 * 60 * 60 * 1000;

/** Files that an interrupted submit can leave: a copy of the editor's text, locks, and temporary files. */
const leftover = new RegExp(`^(?:${submissionFiles.editorCopy.replace('.', '\\.')}|(?:submission|sending)\\.lock(?:\\.\\d+)?|.*\\.tmp)$`);

/** Returns whether a folder is old enough to be an orphan. `now` is milliseconds since 1970. */
export async function isOldFolder(folder: string, now: number): Promise<boolean> {
  return now - (await stat(folder)).mtimeMs > orphanAge;
}

/** Deletes a folder without a record and without anything that was paid for or planned. Call it under the folder's lock. */
export async function removeOrphan(folder: string, fence: Fence): Promise<void> {
  const names = await readdir(folder);
  if (names.every(name => leftover.test(name))) {
    await fence.check();
    await rm(folder, { recursive: true, force: true });
  }
}
