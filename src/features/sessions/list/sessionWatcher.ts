import type { Session } from '../../../client/schemas/sessions';
import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import { atMost } from '../../../common/atMost';
import type { Clock } from '../../../common/clock';
import { BackOff } from '../../../common/lists/backOff';
import { describeError } from '../../../common/text/describeError';
import type { SessionReference } from '../../../contributions';
import type { Connection, Connections } from '../../connection';
import { openAsks } from '../asks/openAsks';
import type { FollowedSession, FollowedSessions } from './followedSessions';
import type { ListedSession } from './listedSession';
import { stateOf } from './listedSession';
import { firstUserWords, readNewestEvents } from './newestEvents';
import type { SessionListing } from './sessionListing';
import { fingerprintOf } from './sessionLooks';
import { lookKey, type SessionStore } from './sessionStore';

export interface SessionWatcherDependencies {
  readonly connections: Pick<Connections, 'current' | 'access' | 'state' | 'find'>;
  /** The client of a connection, for nobody who asked just now. */
  readonly reach: (connection: Connection) => Promise<ServiceClient>;
  readonly store: SessionStore;
  readonly listing: SessionListing;
  readonly followed: FollowedSessions;
  /** Whether the view is on screen, in a window that has the focus. */
  readonly isWatched: () => boolean;
  /** Whether the workspace is trusted; from any other nothing leaves without an explicit act. */
  readonly isTrusted: () => boolean;
  /** Whether the connection's service is there without starting it (the emulator may be stopped). */
  readonly isReachable: (connection: Connection) => boolean;
  /** Whether a panel shows a session: it knows more than a look from here. */
  readonly isOpen: (reference: SessionReference) => boolean;
  /** Called after each look at a followed session. */
  readonly onLooked: (followed: FollowedSession, session: ListedSession) => void;
  readonly warn: (message: string) => void;
  readonly clock: Clock;
}

/**
 * Looks after sessions: lists those of the current connection while the view is watched, reads the newest events of those that
 * changed to know what waits in them, and goes on looking, gently, at those that were started or opened here.
 */
export class SessionWatcher {
  private readonly backOff: BackOff;
  /** The list as it stood when a followed session was last looked at, by its key. */
  private readonly fingerprints = new Map<string, string>();
  /** Services that have no sessions, by connection name and address: they are not asked again by themselves. */
  private unsupported: string | undefined;

  constructor(private readonly deps: SessionWatcherDependencies) {
    this.backOff = new BackOff(deps.clock, quickest);
  }

  /** One round; answers the milliseconds to the next, or undefined when there is nothing to look after. */
  async look(signal: AbortSignal): Promise<number | undefined> {
    const { connections, isTrusted, isWatched, isReachable } = this.deps;
    if (!isTrusted()) {
      return undefined;
    }
    const { wait } = this.backOff;
    if (wait > 0) {
      return wait;
    }
    const current = connections.state === 'ready' ? connections.current : undefined;
    const lists = current !== undefined && isWatched() && isReachable(current) && this.unsupported !== addressOf(current);
    const round: Round = { problem: undefined, seen: new Set(), hasMoreToLookAt: false, signal };
    if (lists) {
      await this.list(current, round);
    }
    await this.lookAtFollowed(round);
    return signal.aborted ? undefined : this.nextDelay(lists && this.unsupported !== addressOf(current), round);
  }

  /** Lets the next look go ahead at once, because the user asked for it. */
  forgetWait(): void {
    this.backOff.forgetWait();
    this.unsupported = undefined;
  }

  private async list(current: Connection, round: Round): Promise<void> {
    const { store, connections, listing, reach } = this.deps;
    const { scope } = store.list;
    if (scope === undefined) {
      return;
    }
    const { access } = connections;
    try {
      const client = await reach(current);
      const limit = Math.min(Math.max(pageSize, store.list.items.length), largestPage);
      const page = await listing.page(client, { limit, signal: round.signal });
      if (connections.access !== access) {
        // Listed with another key than is used by now; the change begins a round of its own.
        return;
      }
      store.list.acceptFirstPage(scope, page);
      if (scope === store.list.scope) {
        await this.lookAtListed(current, client, round);
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

  /** Reads the events of listed sessions that changed, a bounded number a round. */
  private async lookAtListed({ name }: Connection, client: ServiceClient, round: Round): Promise<void> {
    const { store, followed, isOpen, onLooked } = this.deps;
    const referenceOf = ({ id }: Session) => ({ connection: name, sessionId: id });
    const due = store.list.items.filter(
      session => store.looks.isDue(lookKey(referenceOf(session)), session) && !isOpen(referenceOf(session)),
    );
    round.hasMoreToLookAt = due.length > mostLooks;
    await atMost(looksAtOnce, due.slice(0, mostLooks), round.signal, session =>
      this.readAsks(client, referenceOf(session), session, round),
    );
    for (const session of store.list.items) {
      const reference = referenceOf(session);
      const ours = followed.find(reference);
      const listed = store.find(reference);
      if (ours !== undefined && !ours.isOver && listed !== undefined) {
        round.seen.add(lookKey(reference));
        await this.note(ours, session);
        onLooked(ours, listed);
      }
    }
  }

  /** Reads what waits in one session. What fails is tried again later; trouble with the whole service ends the round. */
  private async readAsks(client: ServiceClient, reference: SessionReference, session: Session, round: Round): Promise<void> {
    const { store, warn } = this.deps;
    const key = lookKey(reference);
    try {
      const newest = await readNewestEvents(client.sessions.events(reference.sessionId), round.signal);
      const firstWords = newest?.isWhole ? firstUserWords(newest.events) : undefined;
      store.looks.put(key, session, { asks: openAsks(newest?.events ?? []), firstWords });
      store.touch();
    } catch (error) {
      if (round.signal.aborted) {
        return;
      }
      if (!(error instanceof ServiceError) || !ownTrouble.has(error.kind)) {
        throw error;
      }
      store.looks.failed(key, session);
      warn(`What waits in session ${reference.sessionId} could not be read: ${describeError(error)}`);
    }
  }

  /** Retrieves the followed sessions that are not on the list, and what waits in them. */
  private async lookAtFollowed(round: Round): Promise<void> {
    const { followed, isOpen } = this.deps;
    const due = followed.active().filter(ours => !round.seen.has(lookKey(ours)) && !isOpen(ours));
    await atMost(looksAtOnce, due.slice(0, mostLooks), round.signal, ours => this.lookAtOne(ours, round));
  }

  private async lookAtOne(ours: FollowedSession, round: Round): Promise<void> {
    const { connections, reach, store, followed, isReachable, onLooked, warn } = this.deps;
    const connection = connections.find(ours.connection);
    if (connection === undefined || !isReachable(connection)) {
      return;
    }
    try {
      const client = await reach(connection);
      const { data: session } = await client.sessions.retrieve(ours.sessionId, { signal: round.signal });
      const key = lookKey(ours);
      if (store.looks.isDue(key, session)) {
        await this.readAsks(client, ours, session, round);
      }
      if (store.list.find(ours.sessionId) !== undefined) {
        store.put(ours.connection, session);
      }
      await this.note(ours, session);
      const look = store.looks.get(key);
      const asks = look?.asks ?? [];
      const name = session.title?.trim() || look?.firstWords;
      onLooked(ours, { connection: ours.connection, session, state: stateOf(session, asks), asks, name });
    } catch (error) {
      if (round.signal.aborted) {
        return;
      }
      if (error instanceof ServiceError && error.kind === 'not_found') {
        await followed.forget(ours);
        return;
      }
      round.problem = error;
      warn(`Session ${ours.sessionId} could not be retrieved: ${describeError(error)}`);
    }
  }

  /** Notes how a followed session stands, and stops to look after one that is over or has long been quiet. */
  private async note(ours: FollowedSession, session: Session): Promise<void> {
    const { followed, clock, store } = this.deps;
    const key = lookKey(ours);
    const fingerprint = fingerprintOf(session);
    const before = this.fingerprints.get(key);
    this.fingerprints.set(key, fingerprint);
    const now = clock.now();
    const changed = before !== undefined && before !== fingerprint;
    const waits = (store.looks.get(key)?.asks.length ?? 0) > 0;
    const rests = session.status === 'idle' && !waits;
    const quiet = now - ours.activeAt > (rests ? quietAfter : longestWatch);
    if (session.archived_at || session.status === 'terminated' || (quiet && !changed)) {
      await followed.end(ours);
    } else if (changed) {
      await followed.touch(ours, now);
    }
  }

  private nextDelay(lists: boolean, round: Round): number | undefined {
    const { store, followed, connections, isReachable, isOpen } = this.deps;
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
    if (round.hasMoreToLookAt) {
      return soon;
    }
    // A panel that shows one may be closed, or rest, at any time.
    const delays = background.map(ours => (isOpen(ours) ? gentlest : this.delayFor(ours)));
    if (lists) {
      delays.push(store.sessions().some(({ state }) => state === 'running' || state === 'rescheduling') ? listRunning : listIdle);
    }
    return Math.min(...delays);
  }

  /** Soon after something happened in a session, seldom when nothing has for a while. */
  private delayFor({ activeAt }: FollowedSession): number {
    const elapsed = this.deps.clock.now() - activeAt;
    return Math.min(Math.max(Number.isFinite(elapsed) ? elapsed / 10 : 0, gentle), gentlest);
  }
}

/** What one round has come to. */
interface Round {
  problem: unknown;
  /** Keys of followed sessions that the list has shown. */
  readonly seen: Set<string>;
  hasMoreToLookAt: boolean;
  readonly signal: AbortSignal;
}

/** Sessions asked for at a time. */
export const pageSize = 20;
// A refresh asks for all that is listed, up to this many.
const largestPage = 100;
// Requests for events: at once, and in one round.
const looksAtOnce = 4;
const mostLooks = 24;

// Milliseconds.
const quickest = 2_000;
const soon = 500;
const listRunning = 4_000;
const listIdle = 20_000;
const gentle = 5_000;
const gentlest = 60_000;
const quietAfter = 30 * 60_000;
const longestWatch = 24 * 3_600_000;

/** Failures that are those of one session's events, not of the service. */
const ownTrouble = new Set(['not_found', 'invalid_request', 'api', 'other_status', 'mismatch', 'not_json', 'too_large', 'permission']);

function addressOf({ name, baseUrl }: Connection): string {
  return `${name}\n${baseUrl}`;
}
