import type { SessionView } from '../../../shared/session/sessionView';

/** An icon of `media/session`, by the first part of its file name, before the theme. */
export type TabIcon = 'waiting' | 'running' | 'idle' | 'failed' | 'ended';

export function tabIconOf({ state }: Pick<SessionView, 'state'>): TabIcon {
  switch (state) {
    case 'waiting':
      return 'waiting';
    case 'running':
    case 'rescheduling':
      return 'running';
    case 'idle':
    case 'other':
    case 'unknown':
      return 'idle';
    case 'failed':
      return 'failed';
    case 'terminated':
    case 'archived':
    case 'deleted':
      return 'ended';
  }
}
