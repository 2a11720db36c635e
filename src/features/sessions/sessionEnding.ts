import type { Session } from '../../client/schemas/sessions';
import type { Sessions } from '../../client/serviceClient';
import { ServiceError } from '../../client/transport/errors';
import type { Translate } from '../../common/text/translate';

/** Interrupts the current turn of all threads. */
export async function interrupt(sessions: Pick<Sessions, 'send'>, sessionId: string, signal?: AbortSignal): Promise<void> {
  await sessions.send(sessionId, [{ type: 'user.interrupt' }], { signal });
}

/** Returns whether a session has to be interrupted before it can be archived or deleted (API facts, section 7). */
export function mustBeInterrupted({ status }: Session): boolean {
  return status === 'running' || status === 'rescheduling';
}

/** Returns whether the service refused because the session is running, which the list did not know yet. */
export async function refusedBecauseRunning(sessions: Pick<Sessions, 'retrieve'>, sessionId: string, error: unknown): Promise<boolean> {
  if (!(error instanceof ServiceError) || (error.kind !== 'invalid_request' && error.kind !== 'conflict')) {
    return false;
  }
  const { data } = await sessions.retrieve(sessionId);
  return mustBeInterrupted(data);
}

/** Resolves once an interrupted session has stopped. Rejects if it hasn't after about 20 seconds. */
export async function whenAtRest(
  sessions: Pick<Sessions, 'retrieve'>,
  sessionId: string,
  sleep: (milliseconds: number) => Promise<void>,
  signal: AbortSignal,
  t: Translate,
): Promise<void> {
  for (let wait = 200; wait < 8_000; wait *= 1.6) {
    signal.throwIfAborted();
    const { data } = await sessions.retrieve(sessionId, { signal });
    if (!mustBeInterrupted(data)) {
      return;
    }
    await sleep(wait);
  }
  throw new Error(t('The session is still running. Try again later.'));
}
