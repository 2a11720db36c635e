import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { toFileStem } from '../../../common/text/fileStem';

export type ExportFormat = 'jsonl' | 'markdown';

/** Endings of exported files; the first is what a file manager and the editor for exported sessions know them by. */
const endings: Readonly<Record<ExportFormat, string>> = { jsonl: '.session.jsonl', markdown: '.session.md' };

/**
 * A file name for an export, made of a title that comes from a service: nothing of it leads to another folder, hides, or is a
 * name that a system keeps for itself.
 */
export function exportName(title: string, sessionId: string, format: ExportFormat): string {
  return `${toFileStem(title) || toFileStem(sessionId) || 'session'}${endings[format]}`;
}

/** Whether a path leads into a folder whose files tools run or obey by themselves, by its name or through a link. */
export async function isInToolFolder(file: string): Promise<boolean> {
  const folder = path.dirname(file);
  // What is not there yet is no link.
  return namesToolFolder(file.split(/[\\/]/).slice(0, -1)) || namesToolFolder((await realpath(folder).catch(() => '')).split(/[\\/]/));
}

function namesToolFolder(names: readonly string[]): boolean {
  return names.some(name => /^\.(?:git|vscode)$/i.test(name));
}
