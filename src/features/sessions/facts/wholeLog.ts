import { isNotServed } from '../../../client/dialect';
import { CursorRefusedError, EventHistory } from '../../../client/events/eventHistory';
import type { EventLog, SessionEvent } from '../../../client/events/eventLog';
import { nameOf } from '../../../client/events/eventNames';
import type { Sessions, SessionThread } from '../../../client/resources/sessions';
import { ServiceError } from '../../../client/transport/errors';
import { listAll } from '../../../client/transport/pagination';

/** Maximum number of attempts. Reading starts over if the service refuses its own cursor. */
const attempts = 3;

/** Reads all current events of a log, oldest first, each once. Rejects if any page can't be read, so the result is always complete. */
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

/** Returns at most `count` newest events of a log, newest first. Reads the whole log if the service can't list it in that order. */
export async function readNewest(log: EventLog, signal: AbortSignal, count: number): Promise<readonly SessionEvent[]> {
  try {
    return (await readEnd(new EventHistory(log, () => undefined), signal, count)).slice(0, count);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof CursorRefusedError)) {
      throw error;
    }
    return (await readWholeLog(log, signal, () => undefined)).slice(-count).reverse();
  }
}

/** Returns at least `count` newest events of a history, newest first, or all events. */
export async function readEnd(history: EventHistory, signal: AbortSignal, count: number): Promise<readonly SessionEvent[]> {
  const newest: SessionEvent[] = [];
  for await (const page of history.backward(signal)) {
    newest.push(...page);
    if (newest.length >= count) {
      break;
    }
  }
  return newest;
}

/** Returns the log of a thread of a session. '' is the session's own thread. Each request uses the current connection. */
export function threadLogOf(reach: () => Promise<Pick<Sessions, 'events' | 'threadEvents'>>, sessionId: string, thread: string): EventLog {
  const log = async () => {
    const sessions = await reach();
    return thread === '' ? sessions.events(sessionId) : sessions.threadEvents(sessionId, thread);
  };
  return { list: async options => (await log()).list(options), stream: async options => (await log()).stream(options) };
}

/** Maximum number of newest events to search in the log of a thread. */
const searched = 5000;

/** Finds an event by its ID among the newest events of some logs. */
export async function findNewest(logs: readonly EventLog[], id: string, signal: AbortSignal): Promise<SessionEvent | undefined> {
  for (const log of logs) {
    const event = (await readNewest(log, signal, searched)).find(candidate => candidate.id === id);
    if (event !== undefined) {
      return event;
    }
  }
  return undefined;
}

/** Returns the threads of a session in the order of their creation. Returns none if the service can't list them. */
export async function readThreads(
  sessions: Pick<Sessions, 'listThreads'>,
  sessionId: string,
  signal: AbortSignal,
  bounds: { readonly onCut?: (error: Error) => void } = {},
): Promise<readonly SessionThread[]> {
  const threads: SessionThread[] = [];
  try {
    for await (const thread of listAll(options => sessions.listThreads(sessionId, options), { signal, ...bounds })) {
      threads.push(thread);
    }
  } catch (error) {
    if (!(error instanceof ServiceError) || !isNotServed(error.status)) {
      throw error;
    }
  }
  return threads.sort((a, b) => Date.parse(a.created_at ?? '') - Date.parse(b.created_at ?? '') || 0);
}
