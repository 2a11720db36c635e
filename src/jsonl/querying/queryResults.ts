import type { PassContext } from '../lineFile';
import type { QueryingJobs } from './queryingJobs';

/** Placeholder. */
export async function queryResults(
  _source: QueryingJobs['queryResults']['input'],
  _context: PassContext,
): Promise<QueryingJobs['queryResults']['output']> {
  throw new Error('This is being built.');
}
