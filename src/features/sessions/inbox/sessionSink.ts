import type { Session } from '../../../client/schemas/sessions';
import type { Clock } from '../../../common/clock';
import type { SessionReference } from '../../../contributions';
import type { AskLog } from '../facts/askLog';
import { toLogFacts } from '../facts/logFacts';
import type { ReadAsks } from '../facts/readAsks';
import type { FollowedSessions } from '../list/followedSessions';
import type { SessionStore } from '../list/sessionStore';

/** Stores what the inbox reads, so that the list and the badge agree with it. */
export interface SessionSink {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Returns the known asks of a session. */
  log(reference: SessionReference): AskLog | undefined;
  /** Stores a session and its newest events. `asOf` is when they were requested, in monotonic milliseconds. */
  read(reference: SessionReference, session: Session, read: ReadAsks, asOf: number): void;
  /** Removes a session that was deleted from the service. */
  gone(reference: SessionReference): void;
}

/** Returns a sink that updates the store. */
export function sessionSinkOf(
  store: Pick<SessionStore, 'takeAll' | 'setLog' | 'facts' | 'remove'>,
  followed: Pick<FollowedSessions, 'forget'>,
  clock: SessionSink['clock'],
  onError: (error: unknown) => void,
): SessionSink {
  const log = (reference: SessionReference) => store.facts.logOf(reference)?.log;
  return {
    clock,
    log,
    read: (reference, session, read, asOf) => {
      store.takeAll(reference.connection, [session], asOf);
      store.setLog(reference, session, toLogFacts(read, log(reference)), asOf);
    },
    gone: reference => {
      store.remove(reference);
      followed.forget(reference).then(undefined, onError);
    },
  };
}
