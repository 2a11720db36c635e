import type { PassContext } from '../lineFile';
import type { QueryingJobs } from './queryingJobs';

/** Placeholder. */
export async function surveyResults(
  _source: QueryingJobs['surveyResults']['input'],
  _context: PassContext,
): Promise<QueryingJobs['surveyResults']['output']> {
  throw new Error('This is being built.');
}
