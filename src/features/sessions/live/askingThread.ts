import type { SessionThread } from '../../../client/schemas/sessions';
import type { Sessions } from '../../../client/serviceClient';
import type { TranscriptEvent } from '../../../shared/session/event';
import { textOf } from '../../../shared/session/eventFields';

/** Thread that made a call. If `isNamed`, it is not the session's own thread, and a service expects its ID with the answer. */
export interface AskingThread {
  readonly id: string | undefined;
  readonly isNamed: boolean;
  /** The thread as the service lists it, if that was requested. */
  readonly thread: SessionThread | undefined;
}

/** Returns the thread that made a call. Sends a request only if the call names a thread. */
export async function askingThread(
  sessions: Pick<Sessions, 'listThreads'>,
  sessionId: string,
  call: TranscriptEvent,
  signal: AbortSignal,
): Promise<AskingThread> {
  const told = textOf(call.session_thread_id);
  const threads = told === undefined ? [] : (await sessions.listThreads(sessionId, { signal })).items;
  const thread = threads.find(({ id }) => id === told);
  const primary = threads.find(({ parent_thread_id }) => parent_thread_id === null)?.id;
  return { id: told ?? primary, isNamed: told !== undefined && told !== primary, thread };
}
