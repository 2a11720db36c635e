import { EventHistory } from '../../../../client/events/eventHistory';
import type { SessionEvent } from '../../../../client/schemas/sessionEvents';
import type { EventLog } from '../../../../client/serviceClient';
import type { Timers } from '../../../../common/lists/poller';

/** So many events fill any window; services that give less on a page are asked for more pages. */
const enough = 200;
/** Milliseconds between two readings of the newest events while the earlier ones are read. */
const between = 2000;

export interface NewestReading {
  readonly log: EventLog;
  readonly timers: Timers;
  /** The newest events, oldest first. */
  readonly onNewest: (events: readonly SessionEvent[]) => void;
}

/**
 * Reads the end of a long history, and again until `signal` aborts: meanwhile the rest of it is read from its beginning. Settles when
 * the service gives its events only that way, or the end cannot be read; never rejects.
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
    // The history is read from its beginning as well, and says what is wrong.
  }
}

/** The newest events, newest first. */
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
