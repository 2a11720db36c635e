import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * Where the emulator of a window keeps what it holds; `storage` is the extension's folder for the workspace. VS Code gives a window whose
 * folder is open in another one, also in one that has gone while its extension host is kept, a storage of its own: `ID-1` to `ID-9`
 * beside the `ID` of the first. All of them mean that of the first, which one emulator at a time has.
 */
export function emulatorFolder(storage: string): string {
  const own = path.dirname(storage);
  const first = own.replace(/(?<=[^\\/])-[1-9]$/, '');
  return path.join(existsSync(first) ? first : own, path.basename(storage), 'emulator');
}
