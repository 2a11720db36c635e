import type { SessionThread } from '../../../client/schemas/sessions';
import type { Sessions } from '../../../client/serviceClient';
import type { TranscriptEvent } from '../../../shared/session/event';
import { textOf } from '../../../shared/session/eventFields';

/** The thread that made a call. `isNamed`: it is not the session's own, so a service wants it named with the answer. */
export interface AskingThread {
  readonly id: string | undefined;
  readonly isNamed: boolean;
  /** As the service lists it, where it was asked. */
  readonly thread: SessionThread | undefined;
}

/** Which thread of a session made a call. The service is asked only where the call names one. */
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
