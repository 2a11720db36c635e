import * as vscode from 'vscode';
import { askModal } from '../../../common/asking/notifications';
import { CancelledError } from '../../../common/cancellation';
import type { SessionReference } from '../../../contributions';
import { askToken } from '../attaching/askToken';
import { describeSession, reachToChange, type SessionActionContext } from '../sessionActionContext';
import type { Belonging } from './attachedPresentation';

/** Removes a resource from a session, after asking. */
export async function removeResource(deps: SessionActionContext, target: SessionReference, belonging: Belonging): Promise<void> {
  const { t } = vscode.l10n;
  const { resourceId, label } = belonging;
  const { client } = await reachToChange(deps, target);
  const remove = t('Remove');
  const detail = t('The agent can no longer use it.');
  const answer = await askModal(t('Remove {0} from "{1}"?', label, describeSession(deps, target)), { detail }, remove);
  if (answer !== remove || resourceId === undefined) {
    throw new CancelledError();
  }
  await client.sessions.removeResource(target.sessionId, resourceId, { signal: deps.lifetime });
  vscode.window.setStatusBarMessage(t('Removed {0}', label), 5000);
}

/** Replaces the token of a repository in a session. The new token is only sent to the service. */
export async function rotateToken(deps: SessionActionContext, target: SessionReference, { resourceId, label }: Belonging): Promise<void> {
  const { t } = vscode.l10n;
  const { client } = await reachToChange(deps, target);
  const token = await askToken(t('New Token for {0}', label));
  if (resourceId !== undefined) {
    await client.sessions.rotateToken(target.sessionId, resourceId, token.value, { signal: deps.lifetime });
    vscode.window.setStatusBarMessage(t('Token of {0} changed', label), 5000);
  }
}
