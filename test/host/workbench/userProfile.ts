import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Workbench } from './workbench';

/** Folder of what VS Code keeps for its user. */
export function userFolder(workbench: Workbench): string {
  return path.join(workbench.globalStorage, '../..');
}

/** The user's settings as they stand on disk. */
export function userSettings(workbench: Workbench): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(path.join(userFolder(workbench), 'settings.json'), 'utf8'));
}

/** Every file below a folder, as one text. */
export function allText(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter(entry => entry.isFile())
    .map(entry => readFileSync(path.join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}
