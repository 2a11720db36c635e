import type { PassContext } from '../lineFile';
import type { MergingJobs } from './mergingJobs';

/** Placeholder. */
export async function findChanged(
  _source: MergingJobs['findChanged']['input'],
  _context: PassContext,
): Promise<MergingJobs['findChanged']['output']> {
  throw new Error('This is being built.');
}
