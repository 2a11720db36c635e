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

export { isInToolFolder } from '../../../common/files/isInToolFolder';
