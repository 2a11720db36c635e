import type { EventLog, SessionEvent } from '../../../client/events/eventLog';
import type { Sessions, SessionThread } from '../../../client/resources/sessions';
import { ServiceError } from '../../../client/transport/errors';
import { type AskLog, type AskReading, joins, nextAskLog } from './askLog';
import { readNewestEvents, reportsState } from './newestEvents';

/**
 * Reads the newest events of a session, back to the events read `before`, or until no older ask can be open. This point is the start of the
 * log, or the last status of the session and of each thread. If the point is too far back, `isWhole` and `isDecided` are false. `requests`
 * is the number of requests sent.
 */
export async function readAsks(
  sessions: Pick<Sessions, 'events' | 'listThreads'>,
  sessionId: string,
  signal: AbortSignal,
  before?: AskLog,
): Promise<AskReading & { readonly requests: number }> {
  let requests = 0;
  let isDecided = false;
  let threads: readonly SessionThread[] | 'unknown' | undefined;
  const log = sessions.events(sessionId);
  const counted: Pick<EventLog, 'list'> = {
    list: async options => {
      requests++;
      return await log.list(options);
    },
  };
  const isEnough = async (newestFirst: readonly SessionEvent[]): Promise<boolean> => {
    if (before !== undefined) {
      return joins(before, newestFirst) && hasCalls(newestFirst, before);
    }
    if (!newestFirst.some(reportsState)) {
      return false;
    }
    if (threads === undefined) {
      requests++;
      threads = await listThreads(sessions, sessionId, signal);
    }
    const isReported = (thread: SessionThread) =>
      thread.status === 'terminated' || Boolean(thread.archived_at) || newestFirst.some(event => reportsThread(event, thread));
    isDecided = threads !== 'unknown' && threads.every(isReported);
    return isDecided && hasCalls(newestFirst, undefined);
  };
  const newest = await readNewestEvents(counted, signal, { isEnough, maxPages });
  return { ...(newest ?? { events: [], isWhole: false }), isDecided, requests };
}

/** Limits of the pages to read, and of the events to search for the call of an ask that is listed without its call. */
const maxPages = 40;
const maxSearched = 1_200;

/** Returns the threads other than the session's own thread. Returns `unknown` if the service doesn't list all threads. */
async function listThreads(
  sessions: Pick<Sessions, 'listThreads'>,
  sessionId: string,
  signal: AbortSignal,
): Promise<readonly SessionThread[] | 'unknown'> {
  try {
    const { items, nextCursor, isCut } = await sessions.listThreads(sessionId, { signal });
    // Every session has its own thread, so a list without this thread is not complete.
    const others = items.filter(({ parent_thread_id: parent }) => parent !== null);
    return nextCursor === undefined && isCut !== true && others.length < items.length ? others : 'unknown';
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ServiceError)) {
      throw error;
    }
    return 'unknown';
  }
}

function reportsThread({ type, session_thread_id }: SessionEvent, { id }: SessionThread): boolean {
  return session_thread_id === id && (type === 'session.thread_created' || type.startsWith('session.thread_status_'));
}

/** Returns whether the events include the call of every ask that was not known before, or the search limit is reached. */
function hasCalls(newestFirst: readonly SessionEvent[], before: AskLog | undefined): boolean {
  if (newestFirst.length >= maxSearched) {
    return true;
  }
  const { asks, evidence } = nextAskLog(before, { events: newestFirst.toReversed(), isWhole: false });
  const known = new Set([...evidence.map(({ id }) => id), ...(before?.asks ?? []).map(({ eventId }) => eventId)]);
  return asks.every(({ eventId }) => known.has(eventId));
}
