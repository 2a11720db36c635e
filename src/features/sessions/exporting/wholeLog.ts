import { CursorRefusedError, EventHistory } from '../../../client/events/eventHistory';
import { nameOf } from '../../../client/events/eventNames';
import type { SessionEvent } from '../../../client/schemas/sessionEvents';
import type { EventLog } from '../../../client/serviceClient';

/** A reading begins again when the service refuses its own cursor, at most so often. */
const attempts = 3;

/**
 * All events of a log as the service has them now, oldest first, each once. Unlike a watch it fails when a page cannot be read:
 * what it gives is whole. `onPage` is told how many there are so far.
 */
export async function readWholeLog(log: EventLog, signal: AbortSignal, onPage: (count: number) => void): Promise<readonly SessionEvent[]> {
  const history = new EventHistory(log, () => undefined);
  for (let attempt = 1; ; attempt++) {
    const events = new Map<string, SessionEvent>();
    let unnamed = 0;
    try {
      for await (const page of history.forward(signal)) {
        for (const event of page) {
          events.set(nameOf(event) ?? `unnamed ${++unnamed}`, event);
        }
        onPage(events.size);
      }
      return [...events.values()];
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof CursorRefusedError) || attempt === attempts) {
        throw error;
      }
    }
  }
}

/** The newest events of a log, newest first, at most so many; from a service that knows only the other way, after reading all. */
export async function readNewest(log: EventLog, signal: AbortSignal, count: number): Promise<readonly SessionEvent[]> {
  const history = new EventHistory(log, () => undefined);
  try {
    const newest: SessionEvent[] = [];
    for await (const page of history.backward(signal)) {
      newest.push(...page);
      if (newest.length >= count) {
        break;
      }
    }
    return newest.slice(0, count);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof CursorRefusedError)) {
      throw error;
    }
    return (await readWholeLog(log, signal, () => undefined)).slice(-count).reverse();
  }
}
