import type { Event } from 'vscode';
import type { Session } from '../../../client/schemas/sessions';
import type { Page } from '../../../client/transport/answer';
import type { Clock } from '../../../common/clock';
import { Emitter } from '../../../common/emitter';
import { KeptList } from '../../../common/lists/keptList';
import { PagedList } from '../../../common/lists/pagedList';
import { describeError } from '../../../common/text/describeError';
import type { ContextKeys, SessionReference, SessionsFilter } from '../../../contributions';
import type { SeenSession } from '../sessionPanels';
import { KnownSessions } from './known/knownSessions';
import type { AllSessions, RuleOf, UnreadTest } from './known/madeSessions';
import type { SessionLook, SessionLooks } from './known/sessionLooks';
import { lookKey } from './known/sessionRecords';
import type { ListedSession } from './listedSession';
import type { SurveyReach } from './looking/sessionSurvey';
import { isFiltering } from './sessionFilter';
import type { SessionSort } from './sessionSort';
import { groupsOf, type SessionGroup, shownAmong } from './shownSessions';

export type SessionsState = ContextKeys['managedAgents.sessionsState'];

/** How many sessions are known so well that it can be said whether they wait, and whether there are others. */
export interface Coverage {
  readonly known: number;
  readonly isPart: boolean;
  readonly reach: SurveyReach;
}

/**
 * The sessions of one connection as far as they are known, grouped by what needs the user: those on the pages that were listed,
 * those that wait, run or failed, whatever page they are on, and those that are open or followed. Everything that tells of a
 * session ends up here, and everything that shows one begins here, so that list, badge, panel and messages say the same: what an
 * open panel sees live wins, then what was asked for last. The filter is applied here as well, whatever the service made of it.
 */
export class SessionStore {
  readonly list = new PagedList<Session>();
  private readonly knowledge: KnownSessions;
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

  /** `seen` gives what open panels know, `pinned` the sessions that are shown whatever page they are on. */
  constructor(
    private readonly clock: Clock,
    seen: () => readonly SeenSession[],
    private readonly pinned: () => readonly SessionReference[] = () => [],
    isUnread: UnreadTest = () => false,
    ruleOf: RuleOf = () => undefined,
  ) {
    this.knowledge = new KnownSessions(clock, seen, pinned, { isUnread, ruleOf });
    this.onDidOutdate = this.knowledge.onDidOutdate;
    this.list.onDidChange(() => this.changed.fire());
  }

  /** What was read of the events of sessions. */
  get looks(): SessionLooks {
    return this.knowledge.looks;
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
    this.knowledge.clear();
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

  /** Every session that is shown, in the order that was chosen. The same list as long as all in it are the same and nothing else is asked for. */
  sessions(): readonly ListedSession[] {
    const { list, currentFilter: filter, currentSort: sort } = this;
    const now = filter.withinHours === undefined ? 0 : this.clock.now();
    const pins = this.pinned().map(lookKey);
    return this.shown.take([this.all(), list.items, filter, sort, now, pins.join('\n')], () =>
      shownAmong(this.all(), { isOnList: listed => this.isOnList(listed), pins: new Set(pins), filter, sort, now }),
    );
  }

  /** Every session that waits, whether the filter shows it or not. */
  waiting(): readonly ListedSession[] {
    return this.known?.waiting ?? [];
  }

  /** Every session that rests since its agent asked a question, whether the filter shows it or not. */
  asked(): readonly ListedSession[] {
    return this.known?.asked ?? [];
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
    return this.knowledge.find(reference, this.connection, this.list.items);
  }

  /** The sessions that are shown whatever page they are on. */
  get pins(): readonly SessionReference[] {
    return this.pinned();
  }

  /** Changes whenever everything that was known is forgotten. */
  get generation(): number {
    return this.resets;
  }

  /** When what is known of a session was asked for, in monotonic milliseconds; undefined where nothing is. */
  asOf(reference: SessionReference): number | undefined {
    return this.knowledge.asOf(reference);
  }

  /** Takes in a first page that was asked for at `asOf`, monotonic milliseconds. */
  acceptFirstPage(scope: string, page: Page<Session>, asOf: number): void {
    const { connection } = this;
    if (scope === this.list.scope && connection !== undefined) {
      const items = this.knowledge.withoutGone(connection, page.items, asOf);
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
      const there = this.knowledge.withoutGone(connection, page.items, asOf);
      isNews = this.knowledge.take(connection, there, asOf);
      return { ...page, items: there };
    });
    // What is appended is told of by the list.
    if (isNews && this.list.items === before) {
      this.changed.fire();
    }
  }

  /** Takes in sessions, on whatever page they were, that were asked for at `asOf`, monotonic milliseconds. */
  takeAll(connection: string, sessions: readonly Session[], asOf: number): void {
    if (this.knowledge.take(connection, sessions, asOf)) {
      this.changed.fire();
    }
  }

  /** Takes in what the newest events of a session told, which were asked for at `asOf`, monotonic milliseconds, when it was as in `session`. */
  look(reference: SessionReference, session: Session, look: SessionLook, asOf: number): void {
    this.looks.put(lookKey(reference), session, look, asOf);
    this.touch(reference);
  }

  /** Removes an ask whose answer the service has stored. */
  answered(reference: SessionReference, eventId: string): void {
    this.looks.answered(lookKey(reference), eventId);
    this.touch(reference);
  }

  /** Takes in the first words of a session that was looked at: what it is called where it has no title. */
  name(reference: SessionReference, firstWords: string): void {
    this.looks.name(lookKey(reference), firstWords);
    this.touch(reference);
  }

  /** Takes in what a live panel sees, which stays when the panel closes, until something newer is told. */
  see(seen: SeenSession): void {
    this.knowledge.see(seen);
    this.changed.fire();
  }

  /** Puts in a session as the service just answered it: in its place when it is listed, on top when it is new. */
  put(connection: string, session: Session): void {
    const isNews = this.knowledge.take(connection, [session], this.clock.monotonic());
    if (connection === this.connection && this.list.scope !== undefined) {
      this.list.put(this.list.scope, session);
    } else if (isNews) {
      this.changed.fire();
    }
  }

  /** Takes a session out, because it is gone from the service. */
  remove(reference: SessionReference): void {
    this.knowledge.remove(reference);
    if (reference.connection === this.connection && this.list.scope !== undefined) {
      this.list.remove(this.list.scope, reference.sessionId);
    }
    this.changed.fire();
  }

  /** Whether a session was found to be gone from the service. */
  isGone(reference: SessionReference): boolean {
    return this.knowledge.isGone(reference);
  }

  /** Tells the listeners that the look or the panel behind a row changed; any of them where no session is named. */
  touch(reference?: SessionReference): void {
    this.knowledge.outdate(reference);
    this.changed.fire();
  }

  private isOnList({ connection, session }: ListedSession): boolean {
    return connection === this.connection && this.list.find(session.id) !== undefined;
  }

  /** Undefined where no connection is shown. */
  private get known(): AllSessions | undefined {
    return this.connection === undefined ? undefined : this.knowledge.all(this.connection, this.list.items);
  }

  private startOver(): void {
    this.since = this.clock.now();
    this.list.reset(this.connection === undefined ? undefined : JSON.stringify([this.connection, this.since, this.currentFilter]));
  }
}
