import type { EventLog } from '../serviceClient';
import { LogWatch } from './logWatch';
import type { EventWatch, WatchOptions } from './watchUpdates';

/**
 * Watches the log of a session or a thread until `signal` aborts. Attaches to the stream first, pages through the history, merges both by
 * event id, and continues live. After a cut it reconnects with jittered back-off and catches up the same way. A slow reader pauses the
 * connection; memory is bounded.
 */
export function watchEvents(log: EventLog, options: WatchOptions): EventWatch {
  return new LogWatch(log, options);
}
