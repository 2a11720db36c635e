import * as vscode from 'vscode';
import { showInformation, showWarning } from '../../../common/asking/notifications';
import { runCommand } from '../../../common/commands';
import type { PresentationContext } from '../../../common/text/presentation';
import type { SessionReference } from '../../../contributions';
import { describeProgress } from '../../../shared/session/facts/sessionState';
import type { ListedSession } from '../facts/listedSession';
import { isTrouble } from '../list/sessionGroups';
import { describeAsk, describeEnd, nameOf } from '../list/sessionPresentation';
import type { SessionNotice } from './sessionNotifier';

/** Shows news of a session, with a button that opens it at its newest ask. A session with a problem can also be interrupted. */
export async function showNotice(
  reference: SessionReference,
  listed: ListedSession,
  notice: SessionNotice,
  context: PresentationContext,
): Promise<void> {
  const { t } = vscode.l10n;
  const [open, interrupt] = [t('Open'), t('Interrupt')];
  const name = nameOf(listed);
  if (notice === 'end') {
    const show = isTrouble(listed) ? showWarning : showInformation;
    if ((await show(describeEnd(listed, context), open)) === open) {
      await runCommand('managedAgents.session.open', reference);
    }
  } else if (notice !== 'problem') {
    const [first, ...others] = notice.asks;
    const more = others.length === 0 ? '' : ` ${t('({0} more)', others.length)}`;
    const message = t('"{0}" needs you: {1}', name, first === undefined ? '' : describeAsk(first, context));
    if ((await showInformation(`${message}${more}`, open)) === open) {
      await runCommand('managedAgents.session.open', reference, first?.eventId);
    }
  } else if (listed.problem !== undefined) {
    const words = describeProgress(listed.problem, context.translate, context.locale);
    const chosen = await showWarning(t('"{0}": {1}', name, words), open, interrupt);
    if (chosen !== undefined) {
      await runCommand(chosen === open ? 'managedAgents.session.open' : 'managedAgents.session.interrupt', reference);
    }
  }
}
