import { keptIfSame } from '../../../../common/lists/keptList';
import type { ListedSession } from '../listedSession';

/** Those of some sessions that want something of the user, in their order. Each list is the same one as long as all in it are the same. */
export interface SessionNeeds {
  readonly waiting: readonly ListedSession[];
  /** Those that rest since their agent asked a question. */
  readonly asked: readonly ListedSession[];
}

/** Those of `all` that need the user; `before` is what this gave of them last. */
export function needsAmong(all: readonly ListedSession[], before: SessionNeeds | undefined): SessionNeeds {
  return { waiting: keptIfSame(before?.waiting, all.filter(isWaiting)), asked: keptIfSame(before?.asked, all.filter(hasAsked)) };
}

/** Whether a session is in one of the lists. */
export function needsUser(listed: ListedSession | undefined): boolean {
  return listed !== undefined && (isWaiting(listed) || hasAsked(listed));
}

function isWaiting({ state }: ListedSession): boolean {
  return state === 'waiting';
}

function hasAsked({ rest }: ListedSession): boolean {
  return rest?.kind === 'asked';
}
