import type { PassContext } from '../lineFile';
import type { RetryingJobs } from './retryingJobs';

/** Placeholder. */
export async function writeRetry(
  _source: RetryingJobs['writeRetry']['input'],
  _context: PassContext,
): Promise<RetryingJobs['writeRetry']['output']> {
  throw new Error('This is being built.');
}
