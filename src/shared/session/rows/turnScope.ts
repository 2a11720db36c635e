import type { TranscriptEvent } from '../event';
import { foreignThreadOf } from './rowSource';

/** Whether an event belongs to what another one is about. */
export type TurnScope = (event: TranscriptEvent) => boolean;

/**
 * What a change of state is about: one thread, or the whole session. A session rests, ends and is interrupted with all of its threads;
 * other states, and an interrupt that names one, are about one thread.
 */
export function scopeOf(event: TranscriptEvent, shownThread: string | undefined): TurnScope {
  const thread = foreignThreadOf(event, shownThread);
  if (isOfSession(event) || (event.type === 'user.interrupt' && thread === undefined)) {
    return () => true;
  }
  return other => foreignThreadOf(other, shownThread) === thread;
}

/** Whether an event tells of the session, not of one of its threads; some servers stamp one on it all the same. */
export function isOfSession({ type }: TranscriptEvent): boolean {
  return type.startsWith('session.status_') || type === 'session.deleted';
}

/** Whether with an event a session or a thread rests or has ended: whatever was being written is not any more. */
export function isRest({ type }: TranscriptEvent): boolean {
  return /^session\.(?:thread_)?status_(?:idle|terminated)$/.test(type) || type === 'session.deleted';
}
