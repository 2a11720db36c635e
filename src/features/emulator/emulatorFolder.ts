import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * Returns the data folder of a window's emulator. `storage` is the extension's folder for the workspace. If a folder is already open in
 * another window, or the extension host of a closed window is still running, VS Code gives the new window its own storage: `ID-1` to `ID-9`
 * next to the first window's `ID`. All of these windows use the folder of the first one, which only one emulator owns at a time.
 */
export function emulatorFolder(storage: string): string {
  const own = path.dirname(storage);
  const first = own.replace(/(?<=[^\\/])-[1-9]$/, '');
  return path.join(existsSync(first) ? first : own, path.basename(storage), 'emulator');
}
