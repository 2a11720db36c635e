import type { Session } from '../../../../client/schemas/sessions';
import { atMost } from '../../../../common/atMost';
import { describeError } from '../../../../common/text/describeError';
import type { FollowedSession } from '../followedSessions';
import { fingerprintOf } from '../sessionLooks';
import { lookKey } from '../sessionRecords';
import type { SessionWatcherDependencies } from '../sessionWatcher';
import { looksAtOnce, mostLooks, type SessionReads } from './sessionReads';

type FollowedLooksDependencies = Pick<
  SessionWatcherDependencies,
  'connections' | 'reach' | 'store' | 'followed' | 'isReachable' | 'isOpen' | 'onLooked' | 'warn' | 'clock'
> & { readonly reads: SessionReads };

/** What a round of looks has come to. */
interface FollowedRound {
  problem: unknown;
  /** Keys of followed sessions that the list has shown. */
  readonly seen: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/** Looks, one by one, at the sessions that are followed and that no list has shown. */
export class FollowedLooks {
  /** What was told of a followed session when it was last looked at, by its key. */
  private readonly fingerprints = new Map<string, string>();

  constructor(private readonly deps: FollowedLooksDependencies) {}

  /** Retrieves the followed sessions that are not on the list, and what waits in them. */
  async look(round: FollowedRound): Promise<void> {
    const { followed, isOpen } = this.deps;
    const due = followed.active().filter(ours => !round.seen.has(lookKey(ours)) && !isOpen(ours));
    await atMost(looksAtOnce, due.slice(0, mostLooks), round.signal, ours => this.lookAtOne(ours, round));
  }

  private async lookAtOne(ours: FollowedSession, round: FollowedRound): Promise<void> {
    const { connections, reach, store, followed, isReachable, onLooked, warn, reads } = this.deps;
    const connection = connections.find(ours.connection);
    if (connection === undefined || !isReachable(connection)) {
      return;
    }
    try {
      const client = await reach(connection);
      const session = await reads.retrieve(client, ours, round.signal);
      if (session === undefined) {
        await followed.forget(ours);
        return;
      }
      if (store.looks.isDue(lookKey(ours), session)) {
        await reads.readAsks(client, ours, session, round.signal);
      }
      await this.note(ours, session);
      const listed = store.find(ours);
      if (listed !== undefined) {
        onLooked(ours, listed);
      }
    } catch (error) {
      if (round.signal.aborted) {
        return;
      }
      round.problem = error;
      warn(`Session ${ours.sessionId} could not be retrieved: ${describeError(error)}`);
    }
  }

  /** Notes how a followed session stands, and stops to look after one that is over or has long been quiet. */
  async note(ours: FollowedSession, session: Session): Promise<void> {
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
}

/** Milliseconds to the next look: few after something happened in a session, many when nothing has for a while. */
export function delayFor({ activeAt }: FollowedSession, now: number): number {
  const elapsed = now - activeAt;
  return Math.min(Math.max(Number.isFinite(elapsed) ? elapsed / 10 : 0, gentle), gentlest);
}

// Milliseconds.
const gentle = 5_000;
export const gentlest = 60_000;
const quietAfter = 30 * 60_000;
const longestWatch = 24 * 3_600_000;
