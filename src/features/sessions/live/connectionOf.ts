import type { WatchState } from '../../../client/events/watchUpdates';
import type { Translate } from '../../../common/text/translate';
import type { ConnectionView } from '../../../shared/session/sessionProtocol';
import type { SessionView } from '../../../shared/session/sessionView';
import { toConnectionView } from './toConnectionView';
import { pollInterval, type SessionAvailability } from './sessionAvailability';

export interface Surroundings {
  /** Reason why nothing is watched. */
  readonly blocked: string | undefined;
  readonly view: SessionView;
  readonly availability: SessionAvailability;
  /** Watch state of the displayed thread. */
  readonly state: WatchState;
  /** True if only the end of its log is shown. */
  readonly isPartial: boolean;
  /** Current time by the watch's clock. */
  readonly now: number;
  /** True once the service has returned the session. */
  readonly isKnown: boolean;
}

/** Returns the connection state for a session's panel: an obstacle, the end of the session, or the state of its watch. */
export function connectionOf({ blocked, view, availability, state, isPartial, now, isKnown }: Surroundings, t: Translate): ConnectionView {
  if (blocked !== undefined) {
    return { name: 'ended', reason: blocked };
  }
  if (view.state === 'archived') {
    return { name: 'ended', reason: t('The session was archived.') };
  }
  if (availability.isPolled && !availability.isGone) {
    return { name: 'polling', everySeconds: pollInterval / 1000 };
  }
  const shown = toConnectionView(availability.isGone ? { name: 'ended', reason: 'deleted' } : state, now, isKnown, t);
  return shown.name === 'catchingUp' && isPartial ? { ...shown, isPartial } : shown;
}
