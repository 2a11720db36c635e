import { realpath } from 'node:fs/promises';
import { type FileState, fileStateAt, isSameState } from './fileState';
import { renameOver } from './publishing';

/**
 * Puts a file that was kept back in the place of the one that was written instead, in one step; a link stays. Answers false, and does
 * nothing, when that is no longer what was written. Rejects with what the system says.
 */
export async function restoreFile(file: string, keptPath: string, written: FileState): Promise<boolean> {
  const place = await realpath(file);
  if (!isSameState(fileStateAt(place), written)) {
    return false;
  }
  await renameOver(keptPath, place);
  return true;
}
