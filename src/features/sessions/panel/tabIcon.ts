import type { SessionView } from '../../../shared/session/sessionView';

/** A picture of `media/session`, by its name before the theme. */
export type TabIcon = 'waiting' | 'running' | 'idle' | 'failed' | 'ended';

/** The picture in the tab of a session. One that rests because all retries are used up is told from one that is done (API facts, 8.2). */
export function tabIconOf({ state, stopReason }: Pick<SessionView, 'state' | 'stopReason'>): TabIcon {
  switch (state) {
    case 'waiting':
      return 'waiting';
    case 'running':
    case 'rescheduling':
      return 'running';
    case 'idle':
      return stopReason === 'retries_exhausted' ? 'failed' : 'idle';
    case 'unknown':
      return 'idle';
    case 'terminated':
    case 'archived':
    case 'deleted':
      return 'ended';
  }
}
