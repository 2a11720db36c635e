import type { ServiceClient } from '../../../client/serviceClient';
import type { Clock } from '../../../common/clock';
import { BackOff } from '../../../common/lists/backOff';
import { RequestBudget } from '../../../common/lists/requestBudget';
import { describeError } from '../../../common/text/describeError';
import type { SessionReference } from '../../../contributions';
import { isRunning } from '../../../shared/session/facts/sessionState';
import type { Connection, Connections } from '../../connection';
import { type ListedSession, sessionKey } from '../facts/listedSession';
import type { FollowedSession, FollowedSessions } from './followedSessions';
import { FollowedPolls } from './polling/followedPolls';
import { maxReads, SessionReads } from './polling/sessionReads';
import { SessionSurvey } from './polling/sessionSurvey';
import { isFiltering } from './sessionFilter';
import type { SessionListing, SessionStore } from './sessionStore';

export interface SessionWatcherDependencies {
  readonly connections: Pick<Connections, 'current' | 'access' | 'state' | 'find'>;
  /** Returns the client of a connection for requests that the user didn't ask for. */
  readonly reach: (connection: Connection) => Promise<ServiceClient>;
  readonly store: SessionStore;
  readonly listing: SessionListing;
  readonly followed: FollowedSessions;
  /** Returns whether the user sees the view or the inbox, or asked for a refresh. */
  readonly isWatched: () => boolean;
  /** Returns whether the user is active in this window. If so, sessions are polled for the badge even while the view is hidden. */
  readonly isUsed: () => boolean;
  readonly isTrusted: () => boolean;
  /** Returns whether the connection's service is available without starting it (the emulator may be stopped). */
  readonly isReachable: (connection: Connection) => boolean;
  readonly isOpen: (reference: SessionReference) => boolean;
  readonly onPolled: (followed: FollowedSession, session: ListedSession) => void;
  readonly warn: (message: string) => void;
  readonly clock: Clock;
}

/**
 * Polls sessions. Lists the sessions of the current connection, less often while the view is hidden. Surveys the pages after the first one,
 * reads the newest events of changed sessions to find open asks, and keeps polling sessions that were started or opened here. Requests that
 * the user didn't ask for stay within a budget per minute, newest sessions first.
 */
export class SessionWatcher {
  private readonly backOff: BackOff;
  /** Name and address of a connection whose service has no sessions. It is not polled again. */
  private unsupported: string | undefined;
  private readonly budget: RequestBudget;
  private readonly survey: SessionSurvey;
  private readonly reads: SessionReads;
  private readonly followedPolls: FollowedPolls;
  private generation = -1;
  private isAsked = false;
  /** True if a session was running when the delay to the next poll was chosen. */
  private ran = false;
  private goesOn = false;
  /** Time of the last request for the first page, in monotonic milliseconds. */
  private listedAt = Number.NEGATIVE_INFINITY;
  private hasMorePages = false;

  constructor(private readonly deps: SessionWatcherDependencies) {
    const { clock, store, isOpen, warn } = deps;
    this.backOff = new BackOff(clock, quickest);
    this.budget = new RequestBudget(clock, requestsPerMinute, savedRequests);
    this.survey = new SessionSurvey(clock, (sessions, asOf) => {
      if (store.connectionName !== undefined) {
        store.facts.take(store.connectionName, sessions, asOf);
      }
    });
    this.reads = new SessionReads({ store, budget: this.budget, isOpen, warn, clock });
    this.followedPolls = new FollowedPolls({ ...deps, reads: this.reads, budget: this.budget });
  }

  /** Runs one round of polling. Returns the delay until the next round in milliseconds, or `undefined` if nothing needs polling. */
  async poll(signal: AbortSignal): Promise<number | undefined> {
    const { connections, isTrusted, isReachable, isWatched, isUsed } = this.deps;
    if (!isTrusted()) {
      return undefined;
    }
    const { wait } = this.backOff;
    if (wait > 0) {
      return wait;
    }
    const current = connections.state === 'ready' ? connections.current : undefined;
    const canList = current !== undefined && (isWatched() || isUsed()) && isReachable(current) && this.unsupported !== addressOf(current);
    const { isAsked } = this;
    const began = this.deps.clock.monotonic();
    const round: Round = { problem: undefined, listed: new Set(), hasMore: false, isAsked, began, signal };
    this.isAsked = false;
    if (canList && this.listWait <= 0) {
      await this.list(current, round);
    }
    await this.followedPolls.poll(round);
    this.goesOn = round.hasMore;
    return signal.aborted ? undefined : this.nextDelay(canList && this.unsupported !== addressOf(current), round);
  }

  /** Delay until the first page is listed again while the view is hidden, in milliseconds. Otherwise 0. */
  private get listWait(): number {
    const { clock, store, isWatched } = this.deps;
    const isUnderWay = this.goesOn || store.generation !== this.generation;
    return isWatched() || isUnderWay ? 0 : this.listedAt + listHidden - clock.monotonic();
  }

  /** Charges background requests of other components to the budget. */
  spend(requests: number): void {
    this.budget.spend(requests);
  }

  /** True if a session is running now but none was when the next poll was scheduled, because an answer from this window resumed it. */
  get isOutrun(): boolean {
    return !this.ran && this.runs();
  }

  /** Makes the next poll run at once, because the user asked for it. */
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
    this.restartIfCleared();
    try {
      const client = await reach(current);
      const asOf = clock.monotonic();
      if (round.isAsked || !this.goesOn || asOf - this.listedAt >= listRunning) {
        const limit = Math.min(Math.max(pageSize, store.list.items.length), largestPage);
        const page = await listing.page(client, { limit, signal: round.signal });
        this.budget.spend(1);
        if (connections.access !== access) {
          // The API key changed during the request. The change of the key starts its own round.
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

  /** Reads the pages after the first one. Reads one page per round, or all pages if the user asked for a refresh. */
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
    const most = isAsked ? maxReads : Math.min(maxReads, budget.left);
    const since = isAsked ? round.began : round.began - confirmAfter;
    const runningSince = isAsked ? round.began : round.began - listRunning;
    if (!survey.isUnderWay) {
      const left = await this.reads.confirm(name, client, { since, runningSince, most, signal });
      round.hasMore ||= left > 0;
    }
  }

  private async readListed({ name }: Connection, client: ServiceClient, round: Round): Promise<void> {
    const { store, followed, onPolled } = this.deps;
    const most = round.isAsked ? maxReads : Math.min(maxReads, this.budget.left);
    const left = await this.reads.readKnown(name, client, { most, signal: round.signal });
    const spare = left > 0 ? 0 : Math.min(maxReads, this.budget.left);
    const nameless = await this.reads.findNames(name, client, { most: spare, signal: round.signal });
    round.hasMore ||= left > 0 || nameless > 0;
    for (const ours of followed.active()) {
      const asOf = store.facts.asOf(ours);
      const listed = store.find(ours);
      if (ours.connection === name && listed !== undefined && asOf !== undefined && asOf >= this.listedAt) {
        round.listed.add(sessionKey(ours));
        await this.followedPolls.note(ours, listed.session);
        onPolled(ours, listed);
      }
    }
  }

  private restartIfCleared(): void {
    const { generation } = this.deps.store;
    if (generation !== this.generation) {
      this.generation = generation;
      this.survey.reset();
      this.reads.forgetNames();
      this.goesOn = false;
    }
  }

  private runs(): boolean {
    return this.deps.store.sessions().some(({ state }) => isRunning(state));
  }

  private nextDelay(lists: boolean, round: Round): number | undefined {
    this.ran = this.runs();
    const background = this.followedPolls.reachable();
    if (!lists && background.length === 0) {
      this.backOff.succeeded();
      return undefined;
    }
    if (round.problem !== undefined) {
      return this.backOff.failed(round.problem);
    }
    this.backOff.succeeded();
    if (round.hasMore) {
      return Math.max(soon, this.budget.waitFor(maxReads / 2));
    }
    const delays = background.map(ours => this.followedPolls.waitFor(ours));
    if (lists) {
      delays.push(Math.max(this.listWait, this.ran ? listRunning : listIdle));
    }
    return Math.min(...delays);
  }
}

/** State of one round. */
export interface Round {
  problem: unknown;
  /** Keys of followed sessions that the list showed in this round. */
  readonly listed: Set<string>;
  hasMore: boolean;
  /** True if the user asked for a refresh. */
  readonly isAsked: boolean;
  /** Start of the round, in monotonic milliseconds. */
  readonly began: number;
  readonly signal: AbortSignal;
}

/** Default number of sessions per page. */
export const pageSize = 20;
// Maximum page size. A refresh requests everything that is listed, up to this many sessions.
const largestPage = 100;
const requestsPerMinute = 120;
/** Requests in the budget of a new window, so that finding the open asks of a few hundred sessions doesn't take minutes. */
const savedRequests = 360;

// Delays and intervals in milliseconds.
const quickest = 2_000;
const soon = 500;
const listRunning = 4_000;
const listIdle = 8_000;
const listHidden = 60_000;
const confirmAfter = 120_000;

function addressOf({ name, baseUrl }: Connection): string {
  return `${name}\n${baseUrl}`;
}
