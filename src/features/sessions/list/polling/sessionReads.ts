import type { Session } from '../../../../client/resources/sessions';
import type { ServiceClient } from '../../../../client/serviceClient';
import { ServiceError } from '../../../../client/transport/errors';
import { atMost } from '../../../../common/atMost';
import type { Clock } from '../../../../common/clock';
import type { RequestBudget } from '../../../../common/lists/requestBudget';
import { describeError } from '../../../../common/text/describeError';
import type { SessionReference } from '../../../../contributions';
import { isRunning } from '../../../../shared/session/facts/sessionState';
import { toLogFacts } from '../../facts/askLog';
import { type ListedSession, referenceOf, sessionKey } from '../../facts/listedSession';
import { readFirstWords } from '../../facts/newestEvents';
import { readAsks } from '../../facts/readAsks';
import type { SessionStore } from '../sessionStore';

interface SessionReadsDependencies {
  readonly store: SessionStore;
  readonly budget: RequestBudget;
  /** Returns whether an open panel shows a session. The panel's state is newer than a poll. */
  readonly isOpen: (reference: SessionReference) => boolean;
  readonly warn: (message: string) => void;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** Reads facts about single sessions that a list lacks. These are the open asks, and the state of sessions that left the list. */
export class SessionReads {
  private readonly namesAsked = new Set<string>();

  constructor(private readonly deps: SessionReadsDependencies) {}

  /**
   * Reads the newest events of sessions that changed or were never read, a limited number per round. Returns the number of sessions left.
   */
  async readKnown(connection: string, client: ServiceClient, { most, signal }: Bound): Promise<number> {
    const { store, isOpen } = this.deps;
    const due = store
      .all()
      .filter(listed => listed.connection === connection && !isOpen(referenceOf(listed)))
      .filter(listed => store.facts.isDue(referenceOf(listed), listed.session));
    // Running sessions are read repeatedly, and must not starve sessions that were never read. Followed sessions, and sessions that had
    // open asks when last known, come first.
    const pins = new Set(store.pinned().map(sessionKey));
    const isOther = (listed: ListedSession) => Number(!pins.has(sessionKey(referenceOf(listed))));
    const never = due.filter(one => !this.wasRead(one)).sort((a, b) => isOther(a) - isOther(b));
    const again = due.filter(one => this.wasRead(one)).sort((a, b) => this.readUrgency(a) - this.readUrgency(b));
    const chosen = [...never.slice(0, Math.max(most - again.length, Math.ceil(most / 2))), ...again].slice(0, most);
    await atMost(concurrentReads, chosen, signal, ({ session }) =>
      this.readAsks(client, { connection, sessionId: session.id }, session, signal),
    );
    return due.length - chosen.length;
  }

  /** Reads the open asks of one session. Retries later if only this session's events have a problem. Rejects on other errors. */
  async readAsks(client: ServiceClient, reference: SessionReference, session: Session, signal: AbortSignal): Promise<void> {
    const { store, warn, clock, budget } = this.deps;
    const asOf = clock.monotonic();
    budget.spend(1);
    try {
      const read = await readAsks(client.sessions, reference.sessionId, signal, store.facts.logOf(reference)?.log);
      budget.spend(read.requests - 1);
      store.facts.setLog(reference, session, toLogFacts(read, store.facts.logOf(reference)?.log), asOf);
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      if (!isOwnTrouble(error)) {
        throw error;
      }
      store.facts.failed(reference, session);
      warn(`Could not read the pending approvals of session ${reference.sessionId}: ${describeError(error)}`);
    }
  }

  /** Reads the first message of sessions without a title, once each, a limited number per round. Returns the number of sessions left. */
  async findNames(connection: string, client: ServiceClient, { most, signal }: Bound): Promise<number> {
    const { store } = this.deps;
    const nameless = store.all().filter(listed => listed.connection === connection && listed.name === undefined);
    const due = nameless.filter(listed => {
      const reference = referenceOf(listed);
      return store.facts.logOf(reference)?.isWhole === false && !this.namesAsked.has(sessionKey(reference));
    });
    await atMost(concurrentReads, due.slice(0, most), signal, async listed => {
      await this.findName(client, referenceOf(listed), signal);
    });
    return Math.max(0, due.length - most);
  }

  forgetNames(): void {
    this.namesAsked.clear();
  }

  private async findName(client: ServiceClient, reference: SessionReference, signal: AbortSignal): Promise<void> {
    const { store, budget } = this.deps;
    budget.spend(1);
    try {
      const words = await readFirstWords(client.sessions.events(reference.sessionId), signal);
      this.namesAsked.add(sessionKey(reference));
      if (words !== undefined) {
        store.facts.name(reference, words);
      }
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      if (!isOwnTrouble(error)) {
        throw error;
      }
      this.namesAsked.add(sessionKey(reference));
    }
  }

  /** Retrieves a session and stores it. Returns `undefined` if it was deleted, and removes its row. */
  async retrieve(client: ServiceClient, reference: SessionReference, signal: AbortSignal): Promise<Session | undefined> {
    const { store, clock, budget } = this.deps;
    const asOf = clock.monotonic();
    budget.spend(1);
    try {
      const { data } = await client.sessions.retrieve(reference.sessionId, { signal });
      store.facts.take(reference.connection, [data], asOf);
      return data;
    } catch (error) {
      if (error instanceof ServiceError && error.kind === 'not_found') {
        store.remove(reference);
        return undefined;
      }
      throw error;
    }
  }

  /**
   * Retrieves pinned sessions without data. Also retrieves shown sessions that no response has included since `since`, or since
   * `runningSince` if they were running. These sessions have ended, were archived or deleted, or are on a page that isn't read again.
   * Retrieves at most `most` sessions. Sessions that need the user come first. Returns the number of sessions left. Times are in monotonic
   * milliseconds.
   */
  async confirm(
    connection: string,
    client: ServiceClient,
    { since, runningSince, most, signal }: Bound & { readonly since: number; readonly runningSince: number },
  ): Promise<number> {
    const { store } = this.deps;
    const stale = store
      .sessions()
      .filter(listed => {
        const least = isRunning(listed.state) ? runningSince : since;
        const isOver = listed.state === 'archived' || listed.state === 'terminated';
        return listed.connection === connection && !isOver && (store.facts.asOf(referenceOf(listed)) ?? least) < least;
      })
      .sort((a, b) => urgency(a) - urgency(b));
    const unknown = store.pinned().filter(pin => pin.connection === connection && store.find(pin) === undefined);
    const due = [...unknown, ...stale.map(referenceOf)];
    await atMost(concurrentReads, due.slice(0, most), signal, async reference => {
      await this.retrieve(client, reference, signal);
    });
    return Math.max(0, due.length - most);
  }

  /**
   * Returns the priority of a read, lowest first. Sessions that changed in the list come before other sessions. In both groups, sessions
   * with open asks come first, because their asks may have been answered elsewhere.
   */
  private readUrgency(listed: ListedSession): number {
    const { facts } = this.deps.store;
    return (listed.state === 'waiting' ? 0 : 1) + (facts.isOutdated(referenceOf(listed), listed.session) ? 0 : 2);
  }

  private wasRead(listed: ListedSession): boolean {
    return this.deps.store.facts.logOf(referenceOf(listed)) !== undefined;
  }
}

function urgency({ state }: ListedSession): number {
  return state === 'waiting' ? 0 : state === 'idle' || state === 'failed' ? 2 : 1;
}

interface Bound {
  /** Maximum number of sessions to read. */
  readonly most: number;
  readonly signal: AbortSignal;
}

/** Maximum number of requests at once. */
export const concurrentReads = 4;
/** Maximum number of sessions to read in one round. */
export const maxReads = 24;

/** Kinds of errors that concern one session's events, not the service. */
const ownTrouble = new Set(['not_found', 'invalid_request', 'api', 'other_status', 'mismatch', 'not_json', 'too_large', 'permission']);

function isOwnTrouble(error: unknown): boolean {
  return error instanceof ServiceError && ownTrouble.has(error.kind);
}
