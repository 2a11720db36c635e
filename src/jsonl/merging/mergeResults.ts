import type { PassContext } from '../lineFile';
import type { MergingJobs } from './mergingJobs';

/** Placeholder. */
export async function mergeResults(
  _source: MergingJobs['mergeResults']['input'],
  _context: PassContext,
): Promise<MergingJobs['mergeResults']['output']> {
  throw new Error('This is being built.');
}
