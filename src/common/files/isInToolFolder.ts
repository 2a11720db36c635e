import { realpath } from 'node:fs/promises';
import path from 'node:path';

/** Whether a path leads into a folder whose files tools run or obey by themselves, by its name or through a link. */
export async function isInToolFolder(file: string): Promise<boolean> {
  const folder = path.dirname(file);
  // What is not there yet is no link.
  return namesToolFolder(file.split(/[\\/]/).slice(0, -1)) || namesToolFolder((await realpath(folder).catch(() => '')).split(/[\\/]/));
}

function namesToolFolder(names: readonly string[]): boolean {
  return names.some(name => /^\.(?:git|vscode)$/i.test(name));
}
