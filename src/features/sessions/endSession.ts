import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { ServiceClient } from '../../client/serviceClient';
import { ServiceError } from '../../client/transport/errors';
import { confirmChange } from '../../common/asking/confirmChange';
import { withProgress } from '../../common/asking/progress';
import type { SessionReference } from '../../contributions';
import { describeSession, reachToChange, type SessionActionContext } from './sessionActionContext';
import { interrupt, mustBeInterrupted, refusedBecauseRunning, StillRunningError, whenAtRest } from './sessionEnding';

/** Interrupts the current turn after a confirmation. */
export async function interruptSession(deps: SessionActionContext, target: SessionReference): Promise<void> {
  const { connection, client } = await reachToChange(deps, target);
  await confirmChange(connection, {
    title: vscode.l10n.t('Interrupt "{0}"?', describeSession(deps, target)),
    details: [vscode.l10n.t('The current turn ends. You can continue with a new message.')],
    button: vscode.l10n.t('Interrupt'),
    keep: vscode.l10n.t('Keep Running'),
  });
  await interrupt(client.sessions, target.sessionId, deps.lifetime);
  await deps.refresh();
}

interface Ending {
  readonly question: string;
  readonly detail: string;
  readonly button: string;
  readonly buttonWhileRunning: string;
  readonly keep: string;
  readonly end: (client: ServiceClient, sessionId: string) => Promise<void>;
}

/** Archives a session after a confirmation. A running session is interrupted first. */
export async function archiveSession(deps: SessionActionContext, target: SessionReference): Promise<void> {
  await endSession(deps, target, {
    question: vscode.l10n.t('Archive "{0}"?', describeSession(deps, target)),
    detail: vscode.l10n.t("Archived sessions are read-only. This can't be undone."),
    button: vscode.l10n.t('Archive'),
    buttonWhileRunning: vscode.l10n.t('Interrupt and Archive'),
    keep: vscode.l10n.t('Keep'),
    end: async (client, sessionId) => {
      const { data } = await client.sessions.archive(sessionId);
      deps.store.put(target.connection, data);
      await deps.followed.end(target);
    },
  });
}

/** Deletes a session after a confirmation. A running session is interrupted first. */
export async function deleteSession(deps: SessionActionContext, target: SessionReference): Promise<void> {
  await endSession(deps, target, {
    question: vscode.l10n.t('Delete "{0}"?', describeSession(deps, target)),
    detail: vscode.l10n.t("This can't be undone."),
    button: vscode.l10n.t('Delete'),
    buttonWhileRunning: vscode.l10n.t('Interrupt and Delete'),
    keep: vscode.l10n.t('Keep'),
    end: async (client, sessionId) => {
      await client.sessions.delete(sessionId);
      deps.store.remove(target);
      await deps.followed.forget(target);
    },
  });
}

async function endSession(deps: SessionActionContext, target: SessionReference, ending: Ending): Promise<void> {
  const { connection, client } = await reachToChange(deps, target);
  const { sessions } = client;
  const ask = async (isRunning: boolean) => {
    await confirmChange(connection, {
      title: ending.question,
      details: [isRunning ? vscode.l10n.t('It is running and is interrupted first.') : '', ending.detail],
      button: isRunning ? ending.buttonWhileRunning : ending.button,
      keep: ending.keep,
    });
    if (isRunning) {
      await interruptAndWait(deps, client, target);
    }
    await ending.end(client, target.sessionId);
  };
  await unlessGone(deps, target, async () => {
    const isRunning = mustBeInterrupted((await sessions.retrieve(target.sessionId)).data);
    try {
      await ask(isRunning);
    } catch (error) {
      // The session may have started to run while the confirmation was open.
      if (isRunning || !(await refusedBecauseRunning(sessions, target.sessionId, error))) {
        throw error;
      }
      await ask(true);
    }
  });
  await deps.refresh();
}

/** If the service no longer has the session, removes its row and informs the user. */
async function unlessGone(deps: SessionActionContext, target: SessionReference, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 404) {
      throw error;
    }
    const name = describeSession(deps, target);
    deps.store.remove(target);
    await deps.followed.forget(target);
    throw new Error(vscode.l10n.t('{0} is no longer on the service.', name), { cause: error });
  }
}

async function interruptAndWait(deps: SessionActionContext, client: ServiceClient, { sessionId }: SessionReference): Promise<void> {
  await withProgress(vscode.l10n.t('Interrupting the session'), deps.lifetime, async signal => {
    await interrupt(client.sessions, sessionId, signal);
    try {
      await whenAtRest(client.sessions, sessionId, milliseconds => sleep(milliseconds, undefined, { signal, ref: false }), signal);
    } catch (error) {
      if (error instanceof StillRunningError) {
        throw new Error(vscode.l10n.t('The session is still running. Try again later.'));
      }
      throw error;
    }
  });
}
