import { EventHistory } from '../../../client/events/eventHistory';
import type { SessionEvent } from '../../../client/schemas/sessionEvents';
import type { EventLog } from '../../../client/serviceClient';
import type { Timers } from '../../../common/lists/poller';

/** Number of events that fill any window. If the service returns fewer per page, more pages are read. */
const enough = 200;
/** Interval between two reads of the newest events while earlier ones are read, in milliseconds. */
const between = 2000;

export interface NewestReading {
  readonly log: EventLog;
  readonly timers: Timers;
  /** Called with the newest events, oldest first. */
  readonly onNewest: (events: readonly SessionEvent[]) => void;
}

/**
 * Reads the end of a long history repeatedly until `signal` aborts, while the history is read from its start elsewhere. Settles early if
 * the service returns events only from the start, or if the end can't be read. Never rejects.
 */
export async function followNewest({ log, timers, onNewest }: NewestReading, signal: AbortSignal): Promise<void> {
  const history = new EventHistory(log, () => undefined, enough);
  try {
    while (!signal.aborted) {
      const newest = await readEnd(history, signal);
      if (signal.aborted) {
        return;
      }
      onNewest(newest.reverse());
      await pause(timers, signal);
    }
  } catch {
    // The read from the start reports the problem.
  }
}

/** Returns the newest events, newest first. */
async function readEnd(history: EventHistory, signal: AbortSignal): Promise<SessionEvent[]> {
  const newest: SessionEvent[] = [];
  for await (const page of history.backward(signal)) {
    newest.push(...page);
    if (newest.length >= enough) {
      break;
    }
  }
  return newest;
}

function pause(timers: Timers, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = timers.set(resolve, between);
    signal.addEventListener('abort', () => {
      timers.clear(timer);
      resolve();
    });
  });
}
