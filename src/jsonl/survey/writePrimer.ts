import type { PassContext } from '../lineFile';
import type { PrimerReport, PrimerSource } from './fileSurvey';

/** Writes requests that fill the cache. */
export async function writePrimer(_source: PrimerSource, _context: PassContext): Promise<PrimerReport> {
  throw new Error('This is being built.');
}
