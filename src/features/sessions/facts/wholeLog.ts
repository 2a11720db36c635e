import { CursorRefusedError, EventHistory } from '../../../client/events/eventHistory';
import { nameOf } from '../../../client/events/eventNames';
import type { SessionEvent } from '../../../client/schemas/sessionEvents';
import type { SessionThread } from '../../../client/schemas/sessions';
import type { EventLog, Sessions } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import { listAll } from '../../../client/transport/pagination';

/** Maximum number of attempts, which start over if the service refuses its own cursor. */
const attempts = 3;

/**
 * Reads all current events of a log, oldest first, each once. Unlike a watch, it rejects if any page can't be read, so the result is always
 * complete. `onPage` is called with the number of events so far.
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

/** Returns at most `count` newest events of a log, newest first. Reads the whole log if the service only supports the other order. */
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

/** Returns the threads of a session in the order of their creation. Returns none if the service can't list them. */
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
