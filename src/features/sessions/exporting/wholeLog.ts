import { CursorRefusedError, EventHistory } from '../../../client/events/eventHistory';
import { nameOf } from '../../../client/events/eventNames';
import type { SessionEvent } from '../../../client/schemas/sessionEvents';
import type { SessionThread } from '../../../client/schemas/sessions';
import type { EventLog, Sessions } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import { listAll } from '../../../client/transport/pagination';

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

/** The threads of a session, in the order in which they were made; none where the service does not list them. */
export async function readThreads(
  sessions: Pick<Sessions, 'listThreads'>,
  sessionId: string,
  signal: AbortSignal,
): Promise<readonly SessionThread[]> {
  const threads: SessionThread[] = [];
  try {
    for await (const thread of listAll(options => sessions.listThreads(sessionId, options), { signal })) {
      threads.push(thread);
    }
  } catch (error) {
    const hasNone = error instanceof ServiceError && (error.status === 404 || error.status === 405 || error.status === 501);
    if (!hasNone) {
      throw error;
    }
  }
  return threads.sort((a, b) => Date.parse(a.created_at ?? '') - Date.parse(b.created_at ?? '') || 0);
}
