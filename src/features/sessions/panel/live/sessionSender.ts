import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionEvent } from '../../../../client/schemas/sessionEvents';
import type { Sessions } from '../../../../client/serviceClient';
import { ServiceError } from '../../../../client/transport/errors';
import { describeError } from '../../../../common/text/describeError';
import type { Translate } from '../../../../common/text/translate';
import { readNewest } from '../../exporting/wholeLog';
import { type OwnEvent, saysTheSame } from './ownEvent';

export type SendOutcome =
  /** The service has it; `stored` as it keeps it, where it said. */
  | { readonly name: 'stored'; readonly stored: SessionEvent | undefined }
  /** The service does not have it. */
  | { readonly name: 'refused'; readonly problem: string; readonly error: unknown }
  /** Nobody can say: no answer came, and the log does not tell. */
  | { readonly name: 'unknown'; readonly problem: string };

export interface SenderOptions {
  readonly sessionId: string;
  /** The sessions of the connection as it is set up now. Throws when nothing may be sent. */
  readonly sessions: () => Promise<Pick<Sessions, 'send' | 'events'>>;
  /** Whether an event of the log was there before the send began. */
  readonly isOld: (eventId: string) => boolean;
  /** Aborts when nobody is left to be told what became of an event that no answer came to: then the log is not asked. */
  readonly watched?: AbortSignal;
  readonly t: Translate;
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** How often the log is looked at for an event that no answer came to, and the milliseconds between. */
const looks = 3;
const betweenLooks = 1500;
/** Newest events of the log that are looked at. */
const lookedAt = 500;

/**
 * Sends one event once, and never again by itself. When no answer comes the log is asked whether the event arrived, so that the
 * user does not say the same thing twice. Rejects only when `signal` is aborted.
 */
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
 * Sends an answer to what a tool asked. `thread` is the one that asks, when that is told; a service that wants it named, or does
 * not take it, says so with 400, and then has not acted: the answer goes out the other way, once.
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

async function findOut(event: OwnEvent, lost: ServiceError, options: SenderOptions, ended: AbortSignal): Promise<SendOutcome> {
  const { t, watched } = options;
  try {
    return await lookForIt(event, lost, options, watched === undefined ? ended : AbortSignal.any([ended, watched]));
  } catch (error) {
    ended.throwIfAborted();
    if (watched?.aborted === true) {
      return { name: 'unknown', problem: t('{0}. It is not known whether the service has it.', lost.message) };
    }
    throw error;
  }
}

async function lookForIt(event: OwnEvent, lost: ServiceError, options: SenderOptions, signal: AbortSignal): Promise<SendOutcome> {
  const { t } = options;
  signal.throwIfAborted();
  const pause = options.pause ?? ((milliseconds, aborted) => sleep(milliseconds, undefined, { signal: aborted, ref: false }));
  let unreadable: unknown;
  for (let look = 1; look <= looks; look++) {
    try {
      const found = await findInLog(event, options, signal);
      if (found !== undefined) {
        return { name: 'stored', stored: found };
      }
      unreadable = undefined;
    } catch (error) {
      signal.throwIfAborted();
      unreadable = error;
    }
    if (look < looks) {
      await pause(betweenLooks, signal);
    }
  }
  const problem =
    unreadable === undefined
      ? t('{0}. The log of the session does not have it. Send it again only if it does not appear.', lost.message)
      : t(
          '{0}. It is not known whether the service has it: the log could not be read ({1}). Look for it in the transcript before you send it again.',
          lost.message,
          describeError(unreadable),
        );
  return { name: 'unknown', problem };
}

async function findInLog(event: OwnEvent, options: SenderOptions, signal: AbortSignal): Promise<SessionEvent | undefined> {
  const log = (await options.sessions()).events(options.sessionId);
  const newest = await readNewest(log, signal, lookedAt);
  return newest.find(logged => saysTheSame(event, logged) && !(typeof logged.id === 'string' && options.isOld(logged.id)));
}
