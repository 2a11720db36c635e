import type { PassContext } from '../lineFile';
import type { MarkReport, MarkSource } from './fileSurvey';

/** Writes a copy with markers. */
export async function markPrefixes(_source: MarkSource, _context: PassContext): Promise<MarkReport> {
  throw new Error('This is being built.');
}
