import type { PassContext } from '../lineFile';
import type { RetryingJobs } from './retryingJobs';

/** Placeholder. */
export async function planRetry(
  _source: RetryingJobs['planRetry']['input'],
  _context: PassContext,
): Promise<RetryingJobs['planRetry']['output']> {
  throw new Error('This is being built.');
}
