import type { SessionsFilter } from '../../../contributions';
import { type SessionState, sessionStates } from '../../../shared/session/facts/sessionState';
import { lookKey } from './known/sessionRecords';
import type { ListedSession } from './listedSession';
import { passes } from './sessionFilter';
import { type SessionSort, sorted } from './sessionSort';

/** A group of the view with its sessions, newest first. */
export interface SessionGroup {
  readonly state: SessionState;
  readonly sessions: readonly ListedSession[];
}

/** What is wanted of the sessions that are known. */
export interface ShownSessions {
  /** Whether the pages that were listed have a session. */
  readonly isOnList: (listed: ListedSession) => boolean;
  /** Sessions that are shown whatever page they are on, by `lookKey`. */
  readonly pins: ReadonlySet<string>;
  readonly filter: SessionsFilter;
  readonly sort: SessionSort;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Those of all known sessions that are shown: on the list, pinned, or of concern to the user, as far as the filter lets them pass; in the order that was chosen. */
export function shownAmong(all: readonly ListedSession[], { isOnList, pins, filter, sort, now }: ShownSessions): readonly ListedSession[] {
  const shown = all.filter(listed => (concerns(listed) || isOnList(listed) || pins.has(keyOf(listed))) && passes(listed, filter, now));
  return sorted(shown, sort);
}

/** The groups of sessions that hold something, those that need the user first. */
export function groupsOf(sessions: readonly ListedSession[]): readonly SessionGroup[] {
  const all = sessionStates.map(state => ({ state, sessions: sessions.filter(listed => listed.state === state) }));
  return all.filter(group => group.sessions.length > 0);
}

/** Whether a session is shown whatever page it is on: it waits, asked a question, runs, has failed, or stands still at its budget. */
function concerns({ state, rest }: ListedSession): boolean {
  const rests = rest?.kind === 'budget' || rest?.kind === 'asked';
  return rests || state === 'waiting' || state === 'failed' || state === 'running' || state === 'rescheduling';
}

function keyOf({ connection, session }: ListedSession): string {
  return lookKey({ connection, sessionId: session.id });
}
