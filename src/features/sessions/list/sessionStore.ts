import type { Event, Memento } from 'vscode';
import type { Session, SessionFilters } from '../../../client/resources/sessions';
import type { ServiceClient } from '../../../client/serviceClient';
import type { ListOptions, Page } from '../../../client/transport/callResult';
import { ServiceError } from '../../../client/transport/errors';
import type { Clock } from '../../../common/clock';
import { Emitter } from '../../../common/emitter';
import { MemoizedList } from '../../../common/lists/memoizedList';
import { PagedList } from '../../../common/lists/pagedList';
import { describeError } from '../../../common/text/describeError';
import type { Translate } from '../../../common/text/translate';
import type { ContextKeys, SessionReference, SessionsFilter } from '../../../contributions';
import { toMoney } from '../../../shared/session/facts/tokens';
import { type ListedSession, type PanelSession, referenceOf, sessionKey } from '../facts/listedSession';
import { type AllSessions, type SessionFactSources, SessionFacts } from '../facts/sessionFacts';
import type { SurveyReach } from './polling/sessionSurvey';
import { isFiltering, isIgnoredBy, passes, toServiceFilters } from './sessionFilter';
import { concerns, groupOf, groupsOf, type SessionGroup } from './sessionGroups';

export type SessionsState = ContextKeys['managedAgents.sessionsState'];

/** Number of sessions whose open asks are known, and whether there are other sessions. */
export interface Coverage {
  readonly known: number;
  readonly isPart: boolean;
  readonly reach: SurveyReach;
}

/**
 * Sessions that the view shows, filtered and sorted. Includes listed, open and followed sessions, and sessions that need the user, are
 * running or have failed.
 */
export class SessionStore {
  readonly list = new PagedList<Session>();
  readonly facts: SessionFacts;
  connectionName: string | undefined;
  filter: SessionsFilter = {};
  sort: SessionSort = 'needsYou';
  /** Time at which the filter was set, in milliseconds since 1970. All pages of one listing must use the same time. */
  filteredSince = 0;
  /** Counter that changes whenever the store is cleared. */
  generation = 0;
  private surveyed: SurveyReach = 'none';
  private readonly shown = new MemoizedList<ListedSession>();
  private readonly grouped = new MemoizedList<SessionGroup>();
  private readonly changed = new Emitter<void>();

  readonly onDidChange: Event<void> = this.changed.event;

  constructor(
    private readonly clock: Clock,
    panelSessions: () => readonly PanelSession[],
    readonly pinned: () => readonly SessionReference[] = () => [],
    { ruleOf = () => undefined, isDismissed = () => false }: Partial<SessionFactSources> = {},
  ) {
    this.facts = new SessionFacts(clock, { panelSessions, pinned, ruleOf, isDismissed });
    this.facts.onDidChange(() => this.changed.fire());
    this.list.onDidChange(() => this.changed.fire());
  }

  reset(connection: string | undefined): void {
    this.connectionName = connection;
    this.facts.clear();
    this.surveyed = 'none';
    this.generation++;
    this.startOver();
  }

  setSort(sort: SessionSort): void {
    this.sort = sort;
    this.changed.fire();
  }

  setFilter(filter: SessionsFilter): void {
    this.filter = filter;
    this.startOver();
  }

  /** State of the last listing. `filled` if the listing was empty but other rows are shown. */
  get state(): SessionsState {
    const { state, hasMore } = this.list;
    const hasRows = this.sessions().length > 0;
    if (hasRows && (state === 'empty' || state === 'filled')) {
      return 'filled';
    }
    if (state === 'empty' || (state === 'filled' && !hasMore)) {
      return isFiltering(this.filter) ? 'noMatch' : 'empty';
    }
    return state;
  }

  /**
   * Returns the sessions that pass the filter. Includes listed and pinned sessions, and sessions that concern the user. Returns the same
   * array until the sessions change.
   */
  sessions(): readonly ListedSession[] {
    const { list, filter, sort } = this;
    const now = filter.withinHours === undefined ? 0 : this.clock.now();
    const pins = this.pinned().map(sessionKey);
    return this.shown.take([this.all(), list.items, filter, sort, now, pins.join(' ')], () => {
      const isPinned = new Set(pins);
      const isOnList = ({ connection, session }: ListedSession) =>
        connection === this.connectionName && this.list.find(session.id) !== undefined;
      const isShown = (listed: ListedSession) => concerns(listed) || isOnList(listed) || isPinned.has(sessionKey(referenceOf(listed)));
      return sorted(
        this.all().filter(listed => isShown(listed) && passes(listed, filter, now)),
        sort,
      );
    });
  }

  /** Returns every session with open asks, whether the filter shows it or not. */
  waiting(): readonly ListedSession[] {
    return this.all().filter(({ state }) => state === 'waiting');
  }

  needing(): readonly ListedSession[] {
    return this.all().filter(listed => groupOf(listed) === 'needsYou');
  }

  /** Returns every known session, newest first: listed, on later pages, open or followed. */
  all(): readonly ListedSession[] {
    return this.known?.all ?? [];
  }

  groups(): readonly SessionGroup[] {
    const sessions = this.sessions();
    return this.grouped.take([sessions], () => groupsOf(sessions));
  }

  get coverage(): Coverage {
    const { list, surveyed } = this;
    const { own, known } = this.known ?? { own: 0, known: 0 };
    const isRead = (!list.hasMore && !isFiltering(this.filter)) || surveyed === 'whole';
    return { known, isPart: !(list.isListed && isRead) || known < own, reach: surveyed };
  }

  noteReach(reach: SurveyReach): void {
    if (this.surveyed !== reach) {
      this.surveyed = reach;
      this.changed.fire();
    }
  }

  /** Row that loads the next page, if there is a next page. `problem` is the error of the last attempt. */
  get more(): { readonly problem: string | undefined } | undefined {
    const { moreProblem } = this.list;
    return this.list.hasMore ? { problem: moreProblem === undefined ? undefined : describeError(moreProblem) } : undefined;
  }

  /** Returns a known session, whether it passes the filter or not. */
  find(reference: SessionReference): ListedSession | undefined {
    return this.facts.find(reference, this.connectionName, this.list.items);
  }

  /** Stores a first page that was requested at `asOf`, in monotonic milliseconds. */
  acceptFirstPage(scope: string, page: Page<Session>, asOf: number): void {
    const connection = this.connectionName;
    if (scope === this.list.scope && connection !== undefined) {
      this.list.acceptFirstPage(scope, { ...page, items: this.facts.take(connection, page.items, asOf) });
    }
  }

  /** Loads the next page with `list` and appends it. Never rejects. The error is the `problem` of `more`. */
  async loadMore(list: (cursor: string) => Promise<Page<Session>>): Promise<void> {
    const { connectionName: connection, generation } = this;
    await this.list.loadMore(async cursor => {
      const asOf = this.clock.monotonic();
      const page = await list(cursor);
      const isCurrent = connection !== undefined && this.generation === generation;
      return isCurrent ? { ...page, items: this.facts.take(connection, page.items, asOf) } : page;
    });
  }

  /** Stores a session as the service just returned it. A listed session stays in its position. A new session is at the top. */
  put(connection: string, session: Session): void {
    this.facts.take(connection, [session], this.clock.monotonic());
    if (connection === this.connectionName && this.list.scope !== undefined) {
      this.list.put(this.list.scope, session);
    }
  }

  remove(reference: SessionReference): void {
    this.facts.remove(reference);
    if (reference.connection === this.connectionName && this.list.scope !== undefined) {
      this.list.remove(this.list.scope, reference.sessionId);
    }
  }

  /** Sessions of the shown connection. `undefined` if no connection is shown. */
  private get known(): AllSessions | undefined {
    return this.connectionName === undefined ? undefined : this.facts.all(this.connectionName, this.list.items);
  }

  private startOver(): void {
    this.filteredSince = this.clock.now();
    this.list.reset(this.connectionName === undefined ? undefined : JSON.stringify([this.connectionName, this.filteredSince, this.filter]));
  }
}

/** Lists sessions, filtered by the service if possible. A refused filter is no longer sent, because the store filters anyway. */
export class SessionListing {
  // Scope of the current listing. All pages of one listing must use the same filter.
  private scope: string | undefined;
  private attempts: SessionFilters[] = [];
  private isRefused = false;

  constructor(private readonly store: SessionStore) {}

  /** True if only the loaded sessions are filtered, because the service refuses or ignores the filter of the current listing. */
  get isFilteredHere(): boolean {
    return this.scope === this.store.list.scope && this.isRefused;
  }

  async page(client: Pick<ServiceClient, 'sessions'>, options: ListOptions): Promise<Page<Session>> {
    const { store } = this;
    if (this.scope !== store.list.scope) {
      this.scope = store.list.scope;
      this.isRefused = false;
      this.attempts = attemptsFor(toServiceFilters(store.filter, store.filteredSince));
    }
    for (;;) {
      const { scope } = this;
      const [asked = {}, ...easier] = this.attempts;
      try {
        const page = await client.sessions.list({ ...options, ...asked });
        this.isRefused ||= scope === this.scope && page.items.some(session => isIgnoredBy(session, asked));
        return page;
      } catch (error) {
        // A bad cursor is refused too, so only a refusal of the first page concerns the filter.
        const isRefusal = error instanceof ServiceError && error.kind === 'invalid_request' && error.status !== undefined;
        if (!isRefusal || easier.length === 0 || options.cursor !== undefined || scope !== this.scope) {
          throw error;
        }
        this.attempts = easier;
        this.isRefused = true;
      }
    }
  }
}

/** Returns filters to try, each less specific than the previous filter. */
function attemptsFor(filters: SessionFilters): SessionFilters[] {
  const { includeArchived, ...rest } = filters;
  return [
    filters,
    ...(includeArchived && Object.keys(rest).length > 0 ? [{ includeArchived }] : []),
    ...(Object.keys(filters).length > 0 ? [{}] : []),
  ];
}

/** Orders of the view. `needsYou` shows groups, with sessions that need the user first. The other orders show one list. */
export const sessionSorts = ['needsYou', 'activity', 'cost'] as const;
export type SessionSort = (typeof sessionSorts)[number];

const key = 'managedAgents.sessionsSort';

/** Returns the saved order of this workspace. Defaults to `needsYou`. */
export function readSort(memento: Pick<Memento, 'get'>): SessionSort {
  const stored: unknown = memento.get(key);
  return sessionSorts.find(sort => sort === stored) ?? 'needsYou';
}

export async function writeSort(memento: Pick<Memento, 'update'>, sort: SessionSort): Promise<void> {
  await memento.update(key, sort);
}

/** Sorts sessions in descending order. Sessions without the sorted value come last. Sessions with equal values keep their order. */
export function sorted(sessions: readonly ListedSession[], sort: SessionSort): readonly ListedSession[] {
  const sortValueOf = ({ session }: ListedSession) =>
    sort === 'activity'
      ? Date.parse(session.updated_at ?? session.created_at ?? '') || 0
      : (toMoney(session.usage?.list_cost)?.cents ?? -1);
  return sort === 'needsYou' ? sessions : [...sessions].sort((a, b) => sortValueOf(b) - sortValueOf(a));
}

/** Returns the display name of an order, as the heading of the view shows it. */
export function describeSort(sort: SessionSort, translate: Translate): string {
  return { needsYou: translate('needs you first'), activity: translate('by activity'), cost: translate('by cost') }[sort];
}
