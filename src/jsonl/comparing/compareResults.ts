import type { PassContext } from '../lineFile';
import type { ComparingJobs } from './comparingJobs';

/** Placeholder. */
export async function compareResults(
  _source: ComparingJobs['compareResults']['input'],
  _context: PassContext,
): Promise<ComparingJobs['compareResults']['output']> {
  throw new Error('This is being built.');
}
