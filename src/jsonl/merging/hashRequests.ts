import type { PassContext } from '../lineFile';
import type { MergingJobs } from './mergingJobs';

/** Placeholder. */
export async function hashRequests(
  _source: MergingJobs['hashRequests']['input'],
  _context: PassContext,
): Promise<MergingJobs['hashRequests']['output']> {
  throw new Error('This is being built.');
}
