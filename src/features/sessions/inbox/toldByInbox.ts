import type { Session } from '../../../client/schemas/sessions';
import type { Clock } from '../../../common/clock';
import type { SessionReference } from '../../../contributions';
import type { FollowedSessions } from '../list/followedSessions';
import type { SessionLook } from '../list/known/sessionLooks';
import type { SessionStore } from '../list/sessionStore';

/** Takes in what the service tells while the inbox reads, so that list and badge say what the inbox says. */
export interface ToldByInbox {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** A session, and what its newest events tell, asked for at `asOf`, monotonic milliseconds. */
  read(reference: SessionReference, session: Session, look: SessionLook, asOf: number): void;
  /** A session is gone from the service. */
  gone(reference: SessionReference): void;
}

/** Takes it into what is known of sessions. */
export function toldByInbox(
  store: Pick<SessionStore, 'takeAll' | 'look' | 'remove'>,
  followed: Pick<FollowedSessions, 'forget'>,
  clock: ToldByInbox['clock'],
  onError: (error: unknown) => void,
): ToldByInbox {
  return {
    clock,
    read: (reference, session, look, asOf) => {
      store.takeAll(reference.connection, [session], asOf);
      store.look(reference, session, look, asOf);
    },
    gone: reference => {
      store.remove(reference);
      followed.forget(reference).then(undefined, onError);
    },
  };
}
