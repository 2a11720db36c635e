import * as vscode from 'vscode';
import { showWarning } from '../../../common/asking/notifications';
import { runCommand } from '../../../common/commands';
import type { PresentationContext } from '../../../common/text/presentation';
import type { SessionReference } from '../../../contributions';
import { describeProgress } from '../../../shared/session/facts/describeProgress';
import type { ListedSession } from '../facts/listedSession';
import { nameOf } from '../list/sessionPresentation';

/** Shows a notification that a session seems to get nowhere, with buttons that open and interrupt it. */
export async function notifyProblem(reference: SessionReference, listed: ListedSession, context: PresentationContext): Promise<void> {
  if (listed.problem === undefined) {
    return;
  }
  const [open, interrupt] = [vscode.l10n.t('Open'), vscode.l10n.t('Interrupt')];
  const words = describeProgress(listed.problem, context.translate, context.locale);
  const chosen = await showWarning(vscode.l10n.t('"{0}": {1}', nameOf(listed), words), open, interrupt);
  if (chosen !== undefined) {
    await runCommand(chosen === open ? 'managedAgents.session.open' : 'managedAgents.session.interrupt', reference);
  }
}
