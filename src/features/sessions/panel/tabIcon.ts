import type { SessionView } from '../../../shared/session/sessionView';

/** An icon of `media/session`, by the first part of its file name, before the theme. */
export type TabIcon = 'waiting' | 'running' | 'done' | 'idle' | 'failed' | 'ended';

/** Returns the icon of the tab, which means the same as the icon of the session in the list. */
export function tabIconOf({ state, rest }: Pick<SessionView, 'state' | 'rest'>): TabIcon {
  switch (state) {
    case 'waiting':
      return 'waiting';
    case 'running':
    case 'rescheduling':
      return 'running';
    case 'idle':
      return rest?.kind === 'asked' ? 'waiting' : rest === undefined || rest.kind === 'done' ? 'done' : 'idle';
    case 'other':
    case 'unknown':
      return 'idle';
    case 'failed':
    case 'terminated':
      return 'failed';
    case 'archived':
    case 'deleted':
      return 'ended';
  }
}
