import { readdir, rm, stat } from 'node:fs/promises';
import type { Fence } from './folderLock';
import { submissionFiles } from './submissionFile';

/** A folder without a submission is a submit that ended before it was written down; younger ones may still be at it. */
const orphanAge = 24 * 60 * 60 * 1000;

/** What a submit can have left before anything was written down: a copy of the editor's text, locks, and files that were not whole yet. */
const leftover = new RegExp(`^(?:${submissionFiles.editorCopy.replace('.', '\\.')}|(?:submission|sending)\\.lock(?:\\.\\d+)?|.*\\.tmp)$`);

/** Whether a folder may be one that a submit left, at first sight. `now` is milliseconds since 1970. */
export async function isOldFolder(folder: string, now: number): Promise<boolean> {
  return now - (await stat(folder)).mtimeMs > orphanAge;
}

/** Removes a folder that holds no record and nothing that was paid for or planned; to be called under its lock. */
export async function removeOrphan(folder: string, fence: Fence): Promise<void> {
  const names = await readdir(folder);
  if (names.every(name => leftover.test(name))) {
    await fence.check();
    await rm(folder, { recursive: true, force: true });
  }
}
