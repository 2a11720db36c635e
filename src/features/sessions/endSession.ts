import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Sessions } from '../../client/resources/sessions';
import { ServiceError } from '../../client/transport/errors';
import { confirmChange } from '../../common/asking/confirmChange';
import { withProgress } from '../../common/asking/progress';
import type { Translate } from '../../common/text/translate';
import type { SessionReference } from '../../contributions';
import { isRunning } from '../../shared/session/facts/sessionState';
import { reach } from '../connection';
import { describeSession, type SessionActionContext } from './sessionActionContext';

export type EndAct = 'interrupt' | 'archive' | 'delete';

/**
 * Interrupts, archives or deletes a session after a confirmation. A running session is interrupted before it is archived or deleted. If the
 * session is gone, removes its row and throws an error for the user.
 */
export async function endSession(deps: SessionActionContext, target: SessionReference, act: EndAct): Promise<void> {
  const { t } = vscode.l10n;
  const { connection, client } = await reach(deps.connections, target.connection, 'change');
  const { sessions } = client;
  const words = endWords(act);
  const ask = async (isRunning: boolean) => {
    await confirmChange(connection, {
      title: words.question(describeSession(deps, target)),
      details: [isRunning ? t('The session is running and will be interrupted first.') : '', words.detail],
      button: isRunning ? words.buttonWhileRunning : words.button,
      keep: words.keep,
    });
    if (isRunning) {
      await withProgress(t('Interrupting the session'), deps.lifetime, signal => interruptAndWait(sessions, target, signal));
    }
    await perform(deps, sessions, target, act, deps.lifetime);
  };
  try {
    const interrupts = act !== 'interrupt' && isRunning((await sessions.retrieve(target.sessionId)).data.status);
    await ask(interrupts).catch(async error => {
      // The session may have started to run while the confirmation was open.
      if (interrupts || act === 'interrupt' || !(await refusedBecauseRunning(sessions, target.sessionId, error))) {
        throw error;
      }
      await ask(true);
    });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 404) {
      throw error;
    }
    const name = describeSession(deps, target);
    deps.store.remove(target);
    await deps.followed.forget(target);
    throw new Error(t('{0} is no longer on the service.', name), { cause: error });
  }
  await deps.refresh();
}

/** Interrupts, archives or deletes a session without asking. A running session is interrupted before it is archived or deleted. */
export async function endNow(
  deps: SessionActionContext,
  sessions: Sessions,
  reference: SessionReference,
  act: EndAct,
  signal: AbortSignal,
): Promise<void> {
  if (act !== 'interrupt' && isRunning((await sessions.retrieve(reference.sessionId, { signal })).data.status)) {
    await interruptAndWait(sessions, reference, signal);
  }
  await perform(deps, sessions, reference, act, signal);
}

async function interruptAndWait(sessions: Sessions, { sessionId }: SessionReference, signal: AbortSignal): Promise<void> {
  await interrupt(sessions, sessionId, signal);
  await whenAtRest(sessions, sessionId, milliseconds => sleep(milliseconds, undefined, { signal, ref: false }), signal, vscode.l10n.t);
}

async function perform(
  { store, followed }: SessionActionContext,
  sessions: Sessions,
  reference: SessionReference,
  act: EndAct,
  signal: AbortSignal,
): Promise<void> {
  switch (act) {
    case 'interrupt':
      return await interrupt(sessions, reference.sessionId, signal);
    case 'archive':
      store.put(reference.connection, (await sessions.archive(reference.sessionId)).data);
      return await followed.end(reference);
    case 'delete':
      await sessions.delete(reference.sessionId);
      store.remove(reference);
      return await followed.forget(reference);
  }
}

/** Returns the texts that confirm and report an action on one or several sessions. */
export function endWords(act: EndAct) {
  const { t } = vscode.l10n;
  switch (act) {
    case 'interrupt':
      return {
        question: (name: string) => t('Interrupt "{0}"?', name),
        questionOfMany: (count: number) => t('Interrupt {0} sessions?', count),
        detail: t('The current turn ends. You can continue with a new message.'),
        ...{ button: t('Interrupt'), buttonWhileRunning: t('Interrupt'), keep: t('Keep Running') },
        progress: (count: number) => t('Interrupting {0} sessions', count),
        done: (count: number) => t('Sessions interrupted: {0}.', count),
      };
    case 'archive':
      return {
        question: (name: string) => t('Archive "{0}"?', name),
        questionOfMany: (count: number) => t('Archive {0} sessions?', count),
        detail: t("Archived sessions are read-only. This can't be undone."),
        ...{ button: t('Archive'), buttonWhileRunning: t('Interrupt and Archive'), keep: t('Keep') },
        progress: (count: number) => t('Archiving {0} sessions', count),
        done: (count: number) => t('Sessions archived: {0}.', count),
      };
    case 'delete':
      return {
        question: (name: string) => t('Delete "{0}"?', name),
        questionOfMany: (count: number) => t('Delete {0} sessions?', count),
        detail: t("This can't be undone."),
        ...{ button: t('Delete'), buttonWhileRunning: t('Interrupt and Delete'), keep: t('Keep') },
        progress: (count: number) => t('Deleting {0} sessions', count),
        done: (count: number) => t('Sessions deleted: {0}.', count),
      };
  }
}

/** Interrupts the current turn of all threads. */
export async function interrupt(sessions: Pick<Sessions, 'send'>, sessionId: string, signal?: AbortSignal): Promise<void> {
  await sessions.send(sessionId, [{ type: 'user.interrupt' }], { signal });
}

/** Returns whether `error` is a refusal because the session is running. Retrieves the session to check its state. */
export async function refusedBecauseRunning(sessions: Pick<Sessions, 'retrieve'>, sessionId: string, error: unknown): Promise<boolean> {
  if (!(error instanceof ServiceError) || (error.kind !== 'invalid_request' && error.kind !== 'conflict')) {
    return false;
  }
  const { data } = await sessions.retrieve(sessionId);
  return isRunning(data.status);
}

/** Waits until an interrupted session has stopped. Rejects after about 14 seconds of waiting. */
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
    if (!isRunning(data.status)) {
      return;
    }
    await sleep(wait);
  }
  throw new Error(t('The session is still running. Try again later.'));
}
