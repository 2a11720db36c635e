import type { TranscriptEvent } from '../event';
import { foreignThreadOf } from './rowSource';

/** Returns whether a thread is in scope; `undefined` is the displayed one. */
export type TurnScope = (thread: string | undefined) => boolean;

export const everything: TurnScope = () => true;
export const nothing: TurnScope = () => false;

/**
 * Returns the scope of a status change: one thread, or the whole session. A session's idle, end and interrupt include all of its threads.
 * Other states, and an interrupt that names a thread, are about one thread.
 */
export function scopeOf(event: TranscriptEvent, shownThread: string | undefined): TurnScope {
  const thread = foreignThreadOf(event, shownThread);
  if (isOfSession(event) || (event.type === 'user.interrupt' && thread === undefined)) {
    return everything;
  }
  return other => other === thread;
}

/** Returns whether an event is about the session, even if a server sets a thread on the event. */
export function isOfSession({ type }: TranscriptEvent): boolean {
  return type.startsWith('session.status_') || type === 'session.deleted';
}

/** Returns whether an event makes a session or a thread idle or ended. No message is being written after it. */
export function isRest({ type }: TranscriptEvent): boolean {
  return /^session\.(?:thread_)?status_(?:idle|terminated)$/.test(type) || type === 'session.deleted';
}
