import type { EventLog } from '../serviceClient';
import { LogWatch } from './logWatch';
import type { EventWatch, WatchOptions } from './watchUpdates';

/**
 * Watches the log of a session or a thread for as long as `signal` allows: attaches to the stream first, then pages through the
 * history, merges both by event id, and goes on live; on a cut it reconnects with jittered back-off and catches up the same way.
 * While the reader is slow the connection is held up; what stands in memory is bounded.
 */
export function watchEvents(log: EventLog, options: WatchOptions): EventWatch {
  return new LogWatch(log, options);
}
