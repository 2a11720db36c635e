import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Workbench } from './workbench';

/** Returns the folder of VS Code's user data. */
export function userFolder(workbench: Workbench): string {
  return path.join(workbench.globalStorage, '../..');
}

/** Returns the user's settings on disk. */
export function userSettings(workbench: Workbench): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(path.join(userFolder(workbench), 'settings.json'), 'utf8'));
}

/** Returns the contents of all files below a folder as one text. */
export function allText(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter(entry => entry.isFile())
    .map(entry => readFileSync(path.join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}
