import type { Event } from 'vscode';
import type { Session } from '../../../client/schemas/sessions';
import type { Page } from '../../../client/transport/answer';
import type { Clock } from '../../../common/clock';
import { Emitter } from '../../../common/emitter';
import { KeptList } from '../../../common/lists/keptList';
import { PagedList } from '../../../common/lists/pagedList';
import { describeError } from '../../../common/text/describeError';
import type { ContextKeys, SessionReference, SessionsFilter } from '../../../contributions';
import type { ListedSession, SeenSession } from '../facts/listedSession';
import type { LogFacts } from '../facts/logFacts';
import { type AllSessions, type SessionFactSources, SessionFacts } from '../facts/sessionFacts';
import { sessionKey } from '../facts/sessionKey';
import type { SurveyReach } from './polling/sessionSurvey';
import { isFiltering, passes } from './sessionFilter';
import { concerns, groupOf, groupsOf, type SessionGroup } from './sessionGroups';
import { type SessionSort, sorted } from './sessionSort';

export type SessionsState = ContextKeys['managedAgents.sessionsState'];

/** How many sessions are known so well that it can be said whether they wait, and whether there are others. */
export interface Coverage {
  readonly known: number;
  readonly isPart: boolean;
  readonly reach: SurveyReach;
}

/**
 * The sessions that the view shows: those on the listed pages, those that need the user, run or failed on any page, and those that are open or
 * followed. Derived from the facts, filtered here whatever the service did with the filter, and sorted.
 */
export class SessionStore {
  readonly list = new PagedList<Session>();
  readonly facts: SessionFacts;
  private connection: string | undefined;
  private currentFilter: SessionsFilter = {};
  private currentSort: SessionSort = 'needsYou';
  private since = 0;
  private surveyed: SurveyReach = 'none';
  private resets = 0;
  private readonly shown = new KeptList<ListedSession>();
  private readonly grouped = new KeptList<SessionGroup>();
  private readonly changed = new Emitter<void>();

  /** Fires when rows, state or filter changed. */
  readonly onDidChange: Event<void> = this.changed.event;
  /** Fires with a session whose open panel cannot know what the service just said of it: that it is archived. */
  readonly onDidOutdate: Event<SessionReference>;

  constructor(
    private readonly clock: Clock,
    seen: () => readonly SeenSession[],
    private readonly pinned: () => readonly SessionReference[] = () => [],
    { isUnread = () => false, ruleOf = () => undefined, isDismissed = () => false }: Partial<SessionFactSources> = {},
  ) {
    this.facts = new SessionFacts(clock, { seen, pinned, isUnread, ruleOf, isDismissed });
    this.onDidOutdate = this.facts.onDidOutdate;
    this.list.onDidChange(() => this.changed.fire());
  }

  /** The connection whose sessions these are. */
  get connectionName(): string | undefined {
    return this.connection;
  }

  get sort(): SessionSort {
    return this.currentSort;
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
    this.facts.clear();
    this.surveyed = 'none';
    this.resets++;
    this.startOver();
  }

  setSort(sort: SessionSort): void {
    this.currentSort = sort;
    this.changed.fire();
  }

  setFilter(filter: SessionsFilter): void {
    this.currentFilter = filter;
    this.startOver();
  }

  /** How the last listing went; `filled` whenever there is something to show. */
  get state(): SessionsState {
    const { state, hasMore } = this.list;
    const hasRows = this.sessions().length > 0;
    if (hasRows && (state === 'empty' || state === 'filled')) {
      return 'filled';
    }
    if (state === 'empty' || (state === 'filled' && !hasMore)) {
      return isFiltering(this.currentFilter) ? 'noMatch' : 'empty';
    }
    return state;
  }

  /** Why the last listing failed, if it did. */
  get problem(): unknown {
    return this.list.problem;
  }

  /** Returns the sessions on a listed page, pinned, or of concern to the user, that pass the filter, sorted. The same list as long as they are the same. */
  sessions(): readonly ListedSession[] {
    const { list, currentFilter: filter, currentSort: sort } = this;
    const now = filter.withinHours === undefined ? 0 : this.clock.now();
    const pins = this.pinned().map(sessionKey);
    return this.shown.take([this.all(), list.items, filter, sort, now, pins.join(' ')], () => {
      const isPinned = new Set(pins);
      const isShown = (listed: ListedSession) => concerns(listed) || this.isOnList(listed) || isPinned.has(sessionKey(referenceOf(listed)));
      return sorted(
        this.all().filter(listed => isShown(listed) && passes(listed, filter, now)),
        sort,
      );
    });
  }

  /** Every session that waits, whether the filter shows it or not. */
  waiting(): readonly ListedSession[] {
    return this.known?.waiting ?? [];
  }

  /** Every session that rests since its agent asked a question, whether the filter shows it or not. */
  asked(): readonly ListedSession[] {
    return this.known?.asked ?? [];
  }

  /** Every session of *Needs You*, whether the filter shows it or not. */
  needing(): readonly ListedSession[] {
    return this.all().filter(listed => groupOf(listed) === 'needsYou');
  }

  /** Every session that is known, newest first: those on the list, those behind it, those that are open or followed. */
  all(): readonly ListedSession[] {
    return this.known?.all ?? [];
  }

  /** The groups that hold something, those that need the user first. */
  groups(): readonly SessionGroup[] {
    const sessions = this.sessions();
    return this.grouped.take([sessions], () => groupsOf(sessions));
  }

  /** How far it is known what waits. */
  get coverage(): Coverage {
    const { list, surveyed } = this;
    const { own, known } = this.known ?? { own: 0, known: 0 };
    const isRead = (!list.hasMore && !isFiltering(this.currentFilter)) || surveyed === 'whole';
    return { known, isPart: !(list.isListed && isRead) || known < own, reach: surveyed };
  }

  /** Notes how far the sessions behind the first page were read. */
  noteReach(reach: SurveyReach): void {
    if (this.surveyed !== reach) {
      this.surveyed = reach;
      this.changed.fire();
    }
  }

  /** The row to load more, while there is more; `problem` says why that failed. */
  get more(): { readonly problem: string | undefined } | undefined {
    const { moreProblem } = this.list;
    return this.list.hasMore ? { problem: moreProblem === undefined ? undefined : describeError(moreProblem) } : undefined;
  }

  /** A session that is known, whether it passes the filter or not. */
  find(reference: SessionReference): ListedSession | undefined {
    return this.facts.find(reference, this.connection, this.list.items);
  }

  /** The sessions that are shown whatever page they are on. */
  get pins(): readonly SessionReference[] {
    return this.pinned();
  }

  /** Changes whenever everything that was known is forgotten. */
  get generation(): number {
    return this.resets;
  }

  /** Returns when the latest known answer about a session was requested, in monotonic milliseconds. */
  asOf(reference: SessionReference): number | undefined {
    return this.facts.asOf(reference);
  }

  /** Takes in a first page that was asked for at `asOf`, monotonic milliseconds. */
  acceptFirstPage(scope: string, page: Page<Session>, asOf: number): void {
    const { connection } = this;
    if (scope === this.list.scope && connection !== undefined) {
      const items = this.facts.withoutGone(connection, page.items, asOf);
      this.takeAll(connection, items, asOf);
      this.list.acceptFirstPage(scope, { ...page, items });
    }
  }

  /** Lists the next page by `list` and appends it. Never rejects: what fails is the `problem` of `more`. */
  async loadMore(list: (cursor: string) => Promise<Page<Session>>): Promise<void> {
    const { connection, generation } = this;
    let isNews = false;
    let before: readonly Session[] | undefined;
    await this.list.loadMore(async cursor => {
      const asOf = this.clock.monotonic();
      const page = await list(cursor);
      before = this.list.items;
      if (connection === undefined || this.generation !== generation) {
        return page;
      }
      const there = this.facts.withoutGone(connection, page.items, asOf);
      isNews = this.facts.take(connection, there, asOf);
      return { ...page, items: there };
    });
    // What is appended is told of by the list.
    if (isNews && this.list.items === before) {
      this.changed.fire();
    }
  }

  /** Takes in sessions, on whatever page they were, that were asked for at `asOf`, monotonic milliseconds. */
  takeAll(connection: string, sessions: readonly Session[], asOf: number): void {
    if (this.facts.take(connection, sessions, asOf)) {
      this.changed.fire();
    }
  }

  /** Stores facts from the events of a session, requested at `asOf`, in monotonic milliseconds, while the list showed it as `session`. */
  setLog(reference: SessionReference, session: Session, log: LogFacts, asOf: number): void {
    this.facts.setLog(reference, session, log, asOf);
    this.changed.fire();
  }

  /** Removes an ask whose answer the service has stored. */
  answered(reference: SessionReference, eventId: string): void {
    this.facts.answered(reference, eventId);
    this.changed.fire();
  }

  /** Stores the first words of a session, its name if it has no title. */
  name(reference: SessionReference, firstWords: string): void {
    this.facts.name(reference, firstWords);
    this.changed.fire();
  }

  /** Takes in what a live panel sees, which stays when the panel closes, until something newer is told. */
  see(seen: SeenSession): void {
    this.facts.see(seen);
    this.changed.fire();
  }

  /** Puts in a session as the service just answered it: in its place when it is listed, on top when it is new. */
  put(connection: string, session: Session): void {
    const isNews = this.facts.take(connection, [session], this.clock.monotonic());
    if (connection === this.connection && this.list.scope !== undefined) {
      this.list.put(this.list.scope, session);
    } else if (isNews) {
      this.changed.fire();
    }
  }

  /** Takes a session out, because it is gone from the service. */
  remove(reference: SessionReference): void {
    this.facts.remove(reference);
    if (reference.connection === this.connection && this.list.scope !== undefined) {
      this.list.remove(this.list.scope, reference.sessionId);
    }
    this.changed.fire();
  }

  /** Whether a session was found to be gone from the service. */
  isGone(reference: SessionReference): boolean {
    return this.facts.isGone(reference);
  }

  /** Notes that a fact or a panel behind a row changed. */
  touch(): void {
    this.facts.outdate();
    this.changed.fire();
  }

  private isOnList({ connection, session }: ListedSession): boolean {
    return connection === this.connection && this.list.find(session.id) !== undefined;
  }

  /** Undefined where no connection is shown. */
  private get known(): AllSessions | undefined {
    return this.connection === undefined ? undefined : this.facts.all(this.connection, this.list.items);
  }

  private startOver(): void {
    this.since = this.clock.now();
    this.list.reset(this.connection === undefined ? undefined : JSON.stringify([this.connection, this.since, this.currentFilter]));
  }
}

function referenceOf({ connection, session }: ListedSession): SessionReference {
  return { connection, sessionId: session.id };
}
