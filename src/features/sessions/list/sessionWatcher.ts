import type { ServiceClient } from '../../../client/serviceClient';
import type { Clock } from '../../../common/clock';
import { BackOff } from '../../../common/lists/backOff';
import { RequestBudget } from '../../../common/lists/requestBudget';
import { describeError } from '../../../common/text/describeError';
import type { SessionReference } from '../../../contributions';
import type { Connection, Connections } from '../../connection';
import type { ListedSession } from '../facts/listedSession';
import { sessionKey } from '../facts/sessionKey';
import type { FollowedSession, FollowedSessions } from './followedSessions';
import { FollowedPolls } from './polling/followedPolls';
import { mostReads, SessionReads } from './polling/sessionReads';
import { SessionSurvey } from './polling/sessionSurvey';
import { isFiltering } from './sessionFilter';
import type { SessionListing } from './sessionListing';
import type { SessionStore } from './sessionStore';

export interface SessionWatcherDependencies {
  readonly connections: Pick<Connections, 'current' | 'access' | 'state' | 'find'>;
  /** The client of a connection, for nobody who asked just now. */
  readonly reach: (connection: Connection) => Promise<ServiceClient>;
  readonly store: SessionStore;
  readonly listing: SessionListing;
  readonly followed: FollowedSessions;
  /** Whether the view is on screen, in a window that has the focus. */
  readonly isWatched: () => boolean;
  /** Returns whether the user is active in this window: the badge counts open asks even while the view is hidden. */
  readonly isUsed: () => boolean;
  /** Whether the workspace is trusted; from any other nothing leaves without an explicit act. */
  readonly isTrusted: () => boolean;
  /** Whether the connection's service is there without starting it (the emulator may be stopped). */
  readonly isReachable: (connection: Connection) => boolean;
  /** Whether a panel shows a session: it knows more than a look from here. */
  readonly isOpen: (reference: SessionReference) => boolean;
  /** Called after each look at a followed session. */
  readonly onPolled: (followed: FollowedSession, session: ListedSession) => void;
  readonly warn: (message: string) => void;
  readonly clock: Clock;
}

/**
 * Polls sessions: lists those of the current connection (often while the view is watched, now and then while the window is used), surveys the
 * pages behind the first one, reads the newest events of changed sessions to find open asks, and keeps polling, gently, the sessions that were
 * started or opened here. Requests that the user didn't ask for stay within a budget per minute, newest sessions first.
 */
export class SessionWatcher {
  private readonly backOff: BackOff;
  /** Services that have no sessions, by connection name and address: they are not asked again by themselves. */
  private unsupported: string | undefined;
  private readonly budget: RequestBudget;
  private readonly survey: SessionSurvey;
  private readonly reads: SessionReads;
  private readonly followedPolls: FollowedPolls;
  private generation = -1;
  private isAsked = false;
  /** True if a session was running when the delay to the next poll was chosen. */
  private ran = false;
  /** Whether the last round left something to do, and is gone on with. */
  private goesOn = false;
  /** When the first page was last asked for, in monotonic milliseconds. */
  private listedAt = Number.NEGATIVE_INFINITY;
  /** Whether the first page, as it last was, is not all there is. */
  private hasMorePages = false;

  constructor(private readonly deps: SessionWatcherDependencies) {
    const { clock, store, isOpen, warn } = deps;
    this.backOff = new BackOff(clock, quickest);
    this.budget = new RequestBudget(clock, requestsPerMinute, savedRequests);
    this.survey = new SessionSurvey({
      clock,
      onPage: (sessions, asOf) => store.connectionName !== undefined && store.takeAll(store.connectionName, sessions, asOf),
    });
    this.reads = new SessionReads({ store, budget: this.budget, isOpen, warn, clock });
    this.followedPolls = new FollowedPolls({ ...deps, reads: this.reads, budget: this.budget });
  }

  /** One round; answers the milliseconds to the next, or undefined when there is nothing to look after. */
  async look(signal: AbortSignal): Promise<number | undefined> {
    const { connections, isTrusted, isReachable } = this.deps;
    if (!isTrusted()) {
      return undefined;
    }
    const { wait } = this.backOff;
    if (wait > 0) {
      return wait;
    }
    const current = connections.state === 'ready' ? connections.current : undefined;
    const canList = current !== undefined && this.isLookedAt && isReachable(current) && this.unsupported !== addressOf(current);
    const { isAsked } = this;
    const began = this.deps.clock.monotonic();
    const round: Round = { problem: undefined, seen: new Set(), hasMore: false, isAsked, began, signal };
    this.isAsked = false;
    if (canList && this.listWait <= 0) {
      await this.list(current, round);
    }
    await this.followedPolls.look(round);
    this.goesOn = round.hasMore;
    return signal.aborted ? undefined : this.nextDelay(canList && this.unsupported !== addressOf(current), round);
  }

  private get isLookedAt(): boolean {
    return this.deps.isWatched() || this.deps.isUsed();
  }

  /** Delay until the first page is listed again while the view is hidden, in milliseconds; otherwise 0. */
  private get listWait(): number {
    const { clock, store, isWatched } = this.deps;
    const isUnderWay = this.goesOn || store.generation !== this.generation;
    return isWatched() || isUnderWay ? 0 : this.listedAt + listHidden - clock.monotonic();
  }

  /** Notes requests that others sent and nobody asked for: they come out of the same budget. */
  spend(requests: number): void {
    this.budget.spend(requests);
  }

  /** True if a session runs now and none did when the delay to the next poll was chosen: an answer from this window started it. */
  get isOutrun(): boolean {
    return !this.ran && this.runs();
  }

  /** Lets the next look go ahead at once, because the user asked for it. */
  forgetWait(): void {
    this.isAsked = true;
    this.backOff.forgetWait();
    this.unsupported = undefined;
  }

  private async list(current: Connection, round: Round): Promise<void> {
    const { store, connections, listing, reach, clock } = this.deps;
    const { scope } = store.list;
    if (scope === undefined) {
      return;
    }
    const { access } = connections;
    this.beginAnew();
    try {
      const client = await reach(current);
      const asOf = clock.monotonic();
      if (round.isAsked || !this.goesOn || asOf - this.listedAt >= listRunning) {
        const limit = Math.min(Math.max(pageSize, store.list.items.length), largestPage);
        const page = await listing.page(client, { limit, signal: round.signal });
        this.budget.spend(1);
        if (connections.access !== access) {
          // Listed with another key than is used by now; the change begins a round of its own.
          return;
        }
        this.listedAt = asOf;
        this.hasMorePages = page.nextCursor !== undefined || page.isCut === true;
        store.acceptFirstPage(scope, page, asOf);
      }
      if (scope === store.list.scope) {
        await this.readBehind(current, client, round);
      }
      if (scope === store.list.scope && connections.access === access) {
        await this.readListed(current, client, round);
      }
    } catch (error) {
      if (round.signal.aborted) {
        return;
      }
      round.problem = error;
      store.list.acceptFailure(scope, error);
      if (store.state === 'unsupported') {
        this.unsupported = addressOf(current);
        round.problem = undefined;
      }
      this.deps.warn(`Sessions of ${current.name} could not be listed: ${describeError(error)}`);
    }
  }

  /** Reads what is behind the first page, a page a round, or all of it when the user asked. */
  private async readBehind({ name }: Connection, client: ServiceClient, round: Round): Promise<void> {
    const { store } = this.deps;
    const { survey, budget } = this;
    const { signal, isAsked } = round;
    if (this.hasMorePages || isFiltering(store.filter)) {
      if (isAsked) {
        survey.startOver();
      }
      if (isAsked || (!this.goesOn && budget.left > 0)) {
        budget.spend(await survey.readRunning(client, signal));
      }
      while (!signal.aborted && (isAsked || budget.left > 0) && survey.isDue) {
        budget.spend(1);
        await survey.step(client, signal);
        store.noteReach(survey.reach);
        if (!isAsked) {
          break;
        }
      }
      round.hasMore ||= survey.isUnderWay;
    }
    const most = isAsked ? mostReads : Math.min(mostReads, budget.left);
    const since = isAsked ? round.began : round.began - confirmAfter;
    const runningSince = isAsked ? round.began : round.began - listRunning;
    if (!survey.isUnderWay) {
      const left = await this.reads.confirm(name, client, { since, runningSince, most, signal });
      round.hasMore ||= left > 0;
    }
  }

  /** Reads the events of known sessions that changed, and notes how those stand that are followed. */
  private async readListed({ name }: Connection, client: ServiceClient, round: Round): Promise<void> {
    const { store, followed, onPolled } = this.deps;
    const most = round.isAsked ? mostReads : Math.min(mostReads, this.budget.left);
    const left = await this.reads.readKnown(name, client, { most, signal: round.signal });
    const spare = left > 0 ? 0 : Math.min(mostReads, this.budget.left);
    const nameless = await this.reads.findNames(name, client, { most: spare, signal: round.signal });
    round.hasMore ||= left > 0 || nameless > 0;
    for (const ours of followed.active()) {
      const asOf = store.asOf(ours);
      const listed = store.find(ours);
      if (ours.connection === name && listed !== undefined && asOf !== undefined && asOf >= this.listedAt) {
        round.seen.add(sessionKey(ours));
        await this.followedPolls.note(ours, listed.session);
        onPolled(ours, listed);
      }
    }
  }

  /** What was known of the sessions of another connection is worth nothing. */
  private beginAnew(): void {
    const { generation } = this.deps.store;
    if (generation !== this.generation) {
      this.generation = generation;
      this.survey.reset();
      this.reads.forgetNames();
      this.goesOn = false;
    }
  }

  private runs(): boolean {
    return this.deps.store.sessions().some(({ state }) => state === 'running' || state === 'rescheduling');
  }

  private nextDelay(lists: boolean, round: Round): number | undefined {
    const { followed, connections, isReachable } = this.deps;
    this.ran = this.runs();
    const background = followed.active().filter(ours => {
      const connection = connections.find(ours.connection);
      return connection !== undefined && isReachable(connection);
    });
    if (!lists && background.length === 0) {
      this.backOff.succeeded();
      return undefined;
    }
    if (round.problem !== undefined) {
      return this.backOff.failed(round.problem);
    }
    this.backOff.succeeded();
    if (round.hasMore) {
      return Math.max(soon, this.budget.waitFor(mostReads / 2));
    }
    const delays = background.map(ours => this.followedPolls.waitFor(ours));
    if (lists) {
      delays.push(Math.max(this.listWait, this.ran ? listRunning : listIdle));
    }
    return Math.min(...delays);
  }
}

/** What one round has come to. */
interface Round {
  problem: unknown;
  /** Keys of followed sessions that the list has shown. */
  readonly seen: Set<string>;
  /** Something is left to read. */
  hasMore: boolean;
  /** The user wants to know how things stand now. */
  readonly isAsked: boolean;
  /** Monotonic milliseconds. */
  readonly began: number;
  readonly signal: AbortSignal;
}

/** Sessions asked for at a time. */
export const pageSize = 20;
// A refresh asks for all that is listed, up to this many.
const largestPage = 100;
/** Requests that nobody asked for: a service has others to answer. */
const requestsPerMinute = 120;
/** What a window opened anew may ask at once: who of a few hundred sessions waits is not to take minutes. */
const savedRequests = 360;

// Milliseconds.
const quickest = 2_000;
const soon = 500;
const listRunning = 4_000;
const listIdle = 8_000;
const listHidden = 60_000;
const confirmAfter = 120_000;

function addressOf({ name, baseUrl }: Connection): string {
  return `${name}\n${baseUrl}`;
}
