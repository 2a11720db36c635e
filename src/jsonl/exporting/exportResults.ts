import type { PassContext } from '../lineFile';
import type { ExportingJobs } from './exportingJobs';

/** Placeholder. */
export async function exportResults(
  _source: ExportingJobs['exportResults']['input'],
  _context: PassContext,
): Promise<ExportingJobs['exportResults']['output']> {
  throw new Error('This is being built.');
}
