import { realpath } from 'node:fs/promises';
import { type FileState, fileStateAt, isSameState } from './fileState';
import { renameOver } from './publishing';

/**
 * Moves the backup of a file back over its replacement atomically, following a symbolic link. Returns false and does nothing if the
 * replacement has changed since it was written. Rejects with the system's error.
 */
export async function restoreFile(file: string, keptPath: string, written: FileState): Promise<boolean> {
  const place = await realpath(file);
  if (!isSameState(fileStateAt(place), written)) {
    return false;
  }
  await renameOver(keptPath, place);
  return true;
}
