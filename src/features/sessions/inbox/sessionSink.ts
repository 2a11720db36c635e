import type { Session } from '../../../client/schemas/sessions';
import type { Clock } from '../../../common/clock';
import type { SessionReference } from '../../../contributions';
import type { AskLog } from '../facts/askLog';
import { toLogFacts } from '../facts/logFacts';
import type { ReadAsks } from '../facts/readAsks';
import type { FollowedSessions } from '../list/followedSessions';
import type { SessionStore } from '../list/sessionStore';

/** Takes in what the service tells while the inbox reads, so that list and badge say what the inbox says. */
export interface SessionSink {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Returns the known asks of a session. */
  log(reference: SessionReference): AskLog | undefined;
  /** Stores a session and its newest events. `asOf` is when they were requested, in monotonic milliseconds. */
  read(reference: SessionReference, session: Session, read: ReadAsks, asOf: number): void;
  /** A session is gone from the service. */
  gone(reference: SessionReference): void;
}

/** Takes it into what is known of sessions. */
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
