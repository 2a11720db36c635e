import { setImmediate as othersTurn } from 'node:timers/promises';
import type { Sessions } from '../../../client/resources/sessions';
import type { SessionReference } from '../../../contributions';
import type { SessionComparisonFilter } from '../../../shared/comparison/comparisonProtocol';
import { maskSecrets } from '../../../shared/maskedJson';
import type { SessionView } from '../../../shared/session/sessionView';
import { Transcript } from '../../../shared/session/transcript';
import { readThreads, readWholeLog } from '../facts/wholeLog';
import { inTurns } from '../inTurns';
import { createSessionView } from '../live/createSessionView';
import { type ComparedTurn, toTurns } from './comparedTurns';
import { type ComparedPoint, compareSessions, isDifference } from './compareSessions';

/** Session with the whole log of its main thread, secrets masked. */
export interface ReadSession {
  readonly connection: string;
  readonly view: SessionView;
  readonly log: Transcript;
}

/** Compared session with its turns. */
export interface ComparedSide extends Omit<ReadSession, 'log'> {
  readonly turns: readonly ComparedTurn[];
}

/** Two sessions, the older session first, and the compared points for each filter. */
export interface ComparedSessions {
  readonly sides: readonly [ComparedSide, ComparedSide];
  readonly isPiecewise: boolean;
  readonly lists: Readonly<Record<SessionComparisonFilter, readonly ComparedPoint[]>>;
}

/** Number of events to process before other tasks get a turn. */
const eventsAtOnce = 1000;

/** Reads a session and its whole log from the service. `onRead` is called with the number of events so far. */
export async function readSession(
  sessions: Pick<Sessions, 'retrieve' | 'events' | 'listThreads'>,
  { connection, sessionId }: SessionReference,
  signal: AbortSignal,
  onRead: (count: number) => void,
): Promise<ReadSession> {
  const { data: session } = await sessions.retrieve(sessionId, { signal });
  const threads = await readThreads(sessions, sessionId, signal);
  const events = await readWholeLog(sessions.events(sessionId), signal, onRead);
  const log = new Transcript();
  const main = threads.find(thread => thread.parent_thread_id === null);
  if (main !== undefined) {
    log.setShownThread(main.id);
  }
  for (let from = 0; from < events.length; from += eventsAtOnce) {
    log.append(events.slice(from, from + eventsAtOnce).map(maskSecrets));
    await othersTurn();
    signal.throwIfAborted();
  }
  return { connection, view: createSessionView({ session: maskSecrets(session), threads }, log.state()), log };
}

/** Compares two sessions, given in either order. */
export async function compareRead(one: ReadSession, other: ReadSession, signal: AbortSignal): Promise<ComparedSessions> {
  const isInOrder = (one.view.createdAt ?? 0) <= (other.view.createdAt ?? 0);
  const [first, second] = isInOrder ? [one, other] : [other, one];
  const [ones, others] = [await inTurns(toTurns(first.log), signal), await inTurns(toTurns(second.log), signal)];
  const { points, isPiecewise } = await inTurns(compareSessions(ones, others), signal);
  const differing = points.filter(isDifference);
  const of = (...kinds: readonly ComparedPoint['kind'][]) => differing.filter(({ kind }) => kinds.includes(kind));
  return {
    sides: [
      { connection: first.connection, view: first.view, turns: ones },
      { connection: second.connection, view: second.view, turns: others },
    ],
    isPiecewise,
    lists: {
      differs: differing,
      turns: of('turn'),
      calls: of('call'),
      answers: of('answer'),
      others: of('message', 'text', 'error', 'outcome', 'other'),
      all: points,
    },
  };
}
