import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionEvent } from '../../../client/events/eventLog';
import type { Sessions, SessionThread } from '../../../client/resources/sessions';
import { ServiceError } from '../../../client/transport/errors';
import { describeError } from '../../../common/text/describeError';
import type { Translate } from '../../../common/text/translate';
import type { TranscriptEvent } from '../../../shared/session/event';
import { textOf } from '../../../shared/session/eventFields';
import { saysTheSame } from '../../../shared/session/ownEvents';
import { readNewest } from '../facts/wholeLog';

export type SendOutcome =
  /** The service has the event. `stored` is its stored form, if returned. */
  | { readonly name: 'stored'; readonly stored: SessionEvent | undefined }
  /** The service does not have the event. */
  | { readonly name: 'refused'; readonly problem: string; readonly error: unknown }
  /** It is unknown whether the service has the event, because no response arrived and the log does not show the event. */
  | { readonly name: 'unknown'; readonly problem: string };

export interface SenderOptions {
  readonly sessionId: string;
  /** Returns the sessions API with the current settings of the connection. Throws if nothing may be sent. */
  readonly sessions: () => Promise<Pick<Sessions, 'send' | 'events'>>;
  /** Returns whether an event of the log existed before the send started. */
  readonly isOld: (eventId: string) => boolean;
  /** Aborts when the result is no longer needed. The log is then no longer searched for an event without a response. */
  readonly watched?: AbortSignal;
  readonly t: Translate;
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Number of times that the log is searched for an event without a response, and the delay between them in milliseconds. */
const maxSearches = 3;
const betweenSearches = 1500;
const searchedEvents = 500;

/** Sends one event once. Without a response, searches the log for the event, so that the user doesn't send the same text twice. */
export async function sendOnce(event: OwnEvent, options: SenderOptions, signal: AbortSignal): Promise<SendOutcome> {
  const { sessionId } = options;
  try {
    const sessions = await options.sessions();
    signal.throwIfAborted();
    const { data } = await sessions.send(sessionId, [event], { signal });
    return { name: 'stored', stored: data[0] };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ServiceError) || error.outcome !== 'unknown') {
      return { name: 'refused', problem: describeError(error), error };
    }
    return await findOut(event, error, options, signal);
  }
}

/**
 * Sends an answer to an ask. `thread` is the asking thread, if known. Some services require the thread, and others reject it. Both then
 * return status 400 and do nothing. The answer is then sent once more, with the thread added or removed.
 */
export async function sendAnswer(
  event: OwnEvent & { readonly type: 'user.tool_confirmation' | 'user.custom_tool_result' },
  thread: { readonly id: string | undefined; readonly isNamed: boolean },
  options: SenderOptions,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const named = thread.id === undefined ? event : { ...event, session_thread_id: thread.id };
  const [first, second] = thread.isNamed ? [named, event] : [event, named];
  const outcome = await sendOnce(first, options, signal);
  const isAboutThread =
    outcome.name === 'refused' &&
    outcome.error instanceof ServiceError &&
    outcome.error.status === 400 &&
    /session_thread_id/.test(outcome.error.serviceMessage ?? '');
  return isAboutThread && thread.id !== undefined ? await sendOnce(second, options, signal) : outcome;
}

/** Searches the log for an event without a response, as long as the result is needed. */
async function findOut(event: OwnEvent, lost: ServiceError, options: SenderOptions, ended: AbortSignal): Promise<SendOutcome> {
  const { t, watched } = options;
  const signal = watched === undefined ? ended : AbortSignal.any([ended, watched]);
  const pause = options.pause ?? ((milliseconds, aborted) => sleep(milliseconds, undefined, { signal: aborted, ref: false }));
  for (let search = 1; search <= maxSearches && !signal.aborted; search++) {
    const found = await findInLog(event, options, signal).catch(() => undefined);
    if (found !== undefined) {
      return { name: 'stored', stored: found };
    }
    if (search < maxSearches) {
      await pause(betweenSearches, signal).catch(() => undefined);
    }
  }
  ended.throwIfAborted();
  return { name: 'unknown', problem: t('{0}. It may have arrived. Check the transcript before you send it again.', lost.message) };
}

async function findInLog(event: OwnEvent, options: SenderOptions, signal: AbortSignal): Promise<SessionEvent | undefined> {
  const log = (await options.sessions()).events(options.sessionId);
  const newest = await readNewest(log, signal, searchedEvents);
  return newest.find(logged => saysTheSame(event, logged) && !(typeof logged.id === 'string' && options.isOld(logged.id)));
}

/** An event of the user, as sent (API facts, 8.1). */
export type OwnEvent =
  | { readonly type: 'user.message'; readonly content: readonly object[] }
  | { readonly type: 'user.interrupt'; readonly session_thread_id?: string }
  | {
      readonly type: 'user.tool_confirmation';
      readonly tool_use_id: string;
      readonly result: 'allow' | 'deny';
      readonly deny_message?: string;
      readonly session_thread_id?: string;
    }
  | {
      readonly type: 'user.custom_tool_result';
      readonly custom_tool_use_id: string;
      readonly content: readonly object[];
      readonly is_error: boolean;
      readonly session_thread_id?: string;
    }
  | {
      readonly type: 'user.define_outcome';
      readonly description: string;
      readonly rubric: { readonly type: 'text'; readonly content: string };
      readonly max_iterations?: number;
    };

/** Thread that made a call. If `isNamed`, the thread is not the session's own, and a service expects the thread's ID with the answer. */
interface AskingThread {
  readonly id: string | undefined;
  readonly isNamed: boolean;
  /** The thread as the service lists it, if the thread was requested. */
  readonly thread: SessionThread | undefined;
}

/** Returns the thread that made a call. Sends a request only if the call names a thread. */
export async function askingThread(
  sessions: Pick<Sessions, 'listThreads'>,
  sessionId: string,
  call: TranscriptEvent,
  signal: AbortSignal,
): Promise<AskingThread> {
  const named = textOf(call.session_thread_id);
  const threads = named === undefined ? [] : (await sessions.listThreads(sessionId, { signal })).items;
  const thread = threads.find(({ id }) => id === named);
  const primary = threads.find(({ parent_thread_id }) => parent_thread_id === null)?.id;
  return { id: named ?? primary, isNamed: named !== undefined && named !== primary, thread };
}
