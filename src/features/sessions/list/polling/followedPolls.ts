import type { Session } from '../../../../client/resources/sessions';
import { atMost } from '../../../../common/atMost';
import type { RequestBudget } from '../../../../common/lists/requestBudget';
import { describeError } from '../../../../common/text/describeError';
import { fingerprintOf, sessionKey } from '../../facts/listedSession';
import type { FollowedSession } from '../followedSessions';
import type { Round, SessionWatcherDependencies } from '../sessionWatcher';
import { concurrentReads, maxReads, type SessionReads } from './sessionReads';

type FollowedPollsDependencies = Pick<
  SessionWatcherDependencies,
  'connections' | 'reach' | 'store' | 'followed' | 'isReachable' | 'isOpen' | 'onPolled' | 'warn' | 'clock'
> & { readonly reads: SessionReads; readonly budget: RequestBudget };

/** Polls followed sessions that are not on the list, each with its own request. */
export class FollowedPolls {
  /** Last polls by session key. `at` is in monotonic milliseconds. `fingerprint` is `undefined` until a request has succeeded. */
  private readonly polls = new Map<string, { readonly fingerprint: string | undefined; readonly at: number }>();

  constructor(private readonly deps: FollowedPollsDependencies) {}

  /**
   * Retrieves followed sessions that are due and not on the list, and their asks. The least recently polled sessions come first, as the
   * budget allows.
   */
  async poll(round: Round): Promise<void> {
    const { isOpen, budget } = this.deps;
    const due = this.reachable()
      .filter(ours => !round.listed.has(sessionKey(ours)) && !isOpen(ours) && (round.isAsked || this.waitOf(ours) <= 0))
      .sort((a, b) => this.polledAt(a) - this.polledAt(b));
    const most = round.isAsked ? maxReads : Math.min(maxReads, budget.left);
    await atMost(concurrentReads, due.slice(0, most), round.signal, ours => this.pollOne(ours, round));
  }

  /** Returns the followed sessions whose services are available. */
  reachable(): readonly FollowedSession[] {
    const { followed, connections, isReachable } = this.deps;
    return followed.active().filter(({ connection: name }) => {
      const connection = connections.find(name);
      return connection !== undefined && isReachable(connection);
    });
  }

  /** Returns the delay until a followed session is due and the budget allows its poll, in milliseconds. */
  waitFor(ours: FollowedSession): number {
    const { isOpen, budget } = this.deps;
    // Polls rarely while an open panel shows the session, because the panel may close or stop at any time.
    return isOpen(ours) ? maxInterval : Math.max(this.waitOf(ours), budget.waitFor(concurrentReads), minWait);
  }

  private waitOf(ours: FollowedSession): number {
    const { clock } = this.deps;
    const elapsed = clock.now() - ours.activeAt;
    // The delay grows with the time since the last change.
    const delay = Math.min(Math.max(Number.isFinite(elapsed) ? elapsed / 10 : 0, minInterval), maxInterval);
    return this.polledAt(ours) + delay - clock.monotonic();
  }

  private polledAt(ours: FollowedSession): number {
    return this.polls.get(sessionKey(ours))?.at ?? Number.NEGATIVE_INFINITY;
  }

  private async pollOne(ours: FollowedSession, round: Round): Promise<void> {
    const { connections, reach, store, followed, onPolled, warn, reads, clock } = this.deps;
    const connection = connections.find(ours.connection);
    if (connection === undefined) {
      return;
    }
    const key = sessionKey(ours);
    this.polls.set(key, { fingerprint: this.polls.get(key)?.fingerprint, at: clock.monotonic() });
    try {
      const client = await reach(connection);
      const session = await reads.retrieve(client, ours, round.signal);
      if (session === undefined) {
        this.polls.delete(key);
        await followed.forget(ours);
        return;
      }
      if (store.facts.isDue(ours, session)) {
        await reads.readAsks(client, ours, session, round.signal);
      }
      await this.note(ours, session);
      const listed = store.find(ours);
      if (listed !== undefined) {
        onPolled(ours, listed);
      }
    } catch (error) {
      if (round.signal.aborted) {
        return;
      }
      round.problem = error;
      warn(`Session ${ours.sessionId} could not be retrieved: ${describeError(error)}`);
    }
  }

  /** Stores the state of a followed session. Stops following the session if it has ended or has long been quiet. */
  async note(ours: FollowedSession, session: Session): Promise<void> {
    const { followed, clock, store } = this.deps;
    const key = sessionKey(ours);
    const fingerprint = fingerprintOf(session);
    const before = this.polls.get(key)?.fingerprint;
    this.polls.set(key, { fingerprint, at: clock.monotonic() });
    const now = clock.now();
    const changed = before !== undefined && before !== fingerprint;
    const waits = (store.facts.logOf(ours)?.asks.length ?? 0) > 0;
    const rests = session.status === 'idle' && !waits;
    const quiet = now - ours.activeAt > (rests ? quietAfter : longestWatch);
    if (session.archived_at || session.status === 'terminated' || (quiet && !changed)) {
      await followed.end(ours);
    } else if (changed) {
      await followed.amend(ours, { activeAt: now });
    }
  }
}

// Delays and intervals in milliseconds.
const minWait = 1_000;
const minInterval = 5_000;
const maxInterval = 60_000;
const quietAfter = 30 * 60_000;
const longestWatch = 24 * 3_600_000;
