import { withoutEnds } from '../../shared/trim';
import { realpath } from 'node:fs/promises';
import path from 'node:path';

export type ExportFormat = 'jsonl' | 'markdown';

/** Endings of exported files; the first is what a file manager and the editor for exported sessions know them by. */
const endings: Readonly<Record<ExportFormat, string>> = { jsonl: '.session.jsonl', markdown: '.session.md' };
const longestStem = 80;
/** Names that Windows keeps for devices, whatever their ending. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)/i;

/**
 * A file name for an export, made of a title that comes from a service: nothing of it leads to another folder, hides, or is a
 * name that a system keeps for itself.
 */
export function exportName(title: string, sessionId: string, format: ExportFormat): string {
  const stem = toStem(title) || toStem(sessionId) || 'session';
  return `${reserved.test(stem) ? `_${stem}` : stem}${endings[format]}`;
}

function toStem(text: string): string {
  const plain = text
    .normalize('NFC')
    // Separators and what some system forbids; then what cannot be seen or turns the direction of text.
    .replace(/[/\\:*?"<>|%]+/g, '-')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Cn}]+/gu, '')
    .replace(/\s+/g, ' ');
  const short = Array.from(plain).slice(0, longestStem).join('');
  // A dot at the begin hides a file; Windows drops dots and spaces at the end.
  return withoutEnds(short, '. -');
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
