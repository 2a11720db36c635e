import type { Event } from 'vscode';
import type { Session } from '../../../client/schemas/sessions';
import type { Clock } from '../../../common/clock';
import { Emitter } from '../../../common/emitter';
import { PagedList } from '../../../common/lists/pagedList';
import { describeError } from '../../../common/text/describeError';
import type { ContextKeys, SessionReference, SessionsFilter } from '../../../contributions';
import type { SeenSession } from '../sessionPanels';
import { asksOfView, type ListedSession, type SessionState, sessionStates, stateOf, withView } from './listedSession';
import { isFiltering, passes } from './sessionFilter';
import { SessionLooks } from './sessionLooks';

export type SessionsState = ContextKeys['managedAgents.sessionsState'];

/** A group of the view with its sessions, newest first. */
export interface SessionGroup {
  readonly state: SessionState;
  readonly sessions: readonly ListedSession[];
}

/**
 * The sessions of one connection as far as they were listed, grouped by what needs the user. What open panels have seen wins
 * over the list, and the filter is applied here as well, whatever the service made of it.
 */
export class SessionStore {
  readonly list = new PagedList<Session>();
  readonly looks: SessionLooks;
  private connection: string | undefined;
  private currentFilter: SessionsFilter = {};
  private since = 0;
  private readonly changed = new Emitter<void>();

  /** Fires when rows, state or filter changed. */
  readonly onDidChange: Event<void> = this.changed.event;

  /** `seen` gives what open panels know. */
  constructor(
    private readonly clock: Clock,
    private readonly seen: () => readonly SeenSession[],
  ) {
    this.looks = new SessionLooks(clock);
    this.list.onDidChange(() => this.changed.fire());
  }

  /** The connection whose sessions these are. */
  get connectionName(): string | undefined {
    return this.connection;
  }

  get filter(): SessionsFilter {
    return this.currentFilter;
  }

  /** When the filter was set, in milliseconds since 1970: pages of one listing have to be asked for with one time. */
  get filteredSince(): number {
    return this.since;
  }

  /** Forgets everything and starts over for a connection; undefined for none. */
  reset(connection: string | undefined): void {
    this.connection = connection;
    this.looks.clear();
    this.startOver();
  }

  setFilter(filter: SessionsFilter): void {
    this.currentFilter = filter;
    this.startOver();
  }

  /** How the last listing went; `filled` whenever there is something to show. */
  get state(): SessionsState {
    const { state, hasMore } = this.list;
    if (state === 'empty' || (state === 'filled' && !hasMore && this.sessions().length === 0)) {
      return isFiltering(this.currentFilter) ? 'noMatch' : 'empty';
    }
    return state;
  }

  /** Why the last listing failed, if it did. */
  get problem(): unknown {
    return this.list.problem;
  }

  /** Every listed session that passes the filter, newest first. */
  sessions(): readonly ListedSession[] {
    const { connection } = this;
    if (connection === undefined) {
      return [];
    }
    const views = new Map(this.seen().flatMap(({ connection: name, sessionId, view }) => (name === connection ? [[sessionId, view]] : [])));
    const now = this.clock.now();
    return this.list.items
      .map(session => this.toListed(connection, session, views.get(session.id)))
      .filter(listed => passes(listed, this.currentFilter, now));
  }

  /** The groups that hold something, those that need the user first. */
  groups(): readonly SessionGroup[] {
    const sessions = this.sessions();
    return sessionStates
      .map(state => ({ state, sessions: sessions.filter(listed => listed.state === state) }))
      .filter(group => group.sessions.length > 0);
  }

  /** The row to load more, while there is more; `problem` says why that failed. */
  get more(): { readonly problem: string | undefined } | undefined {
    const { moreProblem } = this.list;
    return this.list.hasMore ? { problem: moreProblem === undefined ? undefined : describeError(moreProblem) } : undefined;
  }

  /** A session that is listed, whether it passes the filter or not. */
  find({ connection, sessionId }: SessionReference): ListedSession | undefined {
    const session = connection === this.connection ? this.list.find(sessionId) : undefined;
    const view = this.seen().find(seen => seen.connection === connection && seen.sessionId === sessionId)?.view;
    return session === undefined ? undefined : this.toListed(connection, session, view);
  }

  /** Puts in a session as just seen: in its place when it is listed, on top when it is new. */
  put(connection: string, session: Session): void {
    if (connection === this.connection && this.list.scope !== undefined) {
      this.list.put(this.list.scope, session);
    }
  }

  /** Takes a session out, because it is gone from the service. */
  remove({ connection, sessionId }: SessionReference): void {
    if (connection === this.connection && this.list.scope !== undefined) {
      this.list.remove(this.list.scope, sessionId);
    }
  }

  /** Tells the listeners that looks or panels behind the rows changed. */
  touch(): void {
    this.changed.fire();
  }

  private startOver(): void {
    this.since = this.clock.now();
    this.list.reset(this.connection === undefined ? undefined : JSON.stringify([this.connection, this.since, this.currentFilter]));
  }

  private toListed(connection: string, listed: Session, view: SeenSession['view'] | undefined): ListedSession {
    const look = this.looks.get(lookKey({ connection, sessionId: listed.id }));
    const session = view === undefined ? listed : withView(listed, view);
    const asks = view === undefined ? (look?.asks ?? []) : asksOfView(view);
    return {
      connection,
      session,
      state: stateOf(session, asks),
      asks,
      name: session.title?.trim() || view?.firstWords || look?.firstWords,
    };
  }
}

/** Names a session among those of all connections. */
export function lookKey({ connection, sessionId }: SessionReference): string {
  return `${connection}\n${sessionId}`;
}
