import { toFileStem } from '../../../common/text/fileStem';

export type ExportFormat = 'jsonl' | 'markdown';

/** Extensions of exported files. File managers and the editor for exported sessions recognize the first one. */
const endings: Readonly<Record<ExportFormat, string>> = { jsonl: '.session.jsonl', markdown: '.session.md' };

/**
 * Returns the file name of an export. The title comes from a service, so characters that change the path or are invisible are removed, and
 * reserved names are avoided.
 */
export function exportName(title: string, sessionId: string, format: ExportFormat): string {
  return `${toFileStem(title) || toFileStem(sessionId) || 'session'}${endings[format]}`;
}
