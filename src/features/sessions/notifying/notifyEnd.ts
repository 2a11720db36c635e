import * as vscode from 'vscode';
import { showInformation, showWarning } from '../../../common/asking/notifications';
import { runCommand } from '../../../common/commands';
import type { PresentationContext } from '../../../common/text/presentation';
import type { SessionReference } from '../../../contributions';
import type { ListedSession } from '../facts/listedSession';
import { isTrouble } from '../list/sessionGroups';
import { describeEnd } from './endMessages';

/** Shows a notification that a session has ended or failed, with a button that opens it. */
export async function notifyEnd(reference: SessionReference, listed: ListedSession, context: PresentationContext): Promise<void> {
  const open = vscode.l10n.t('Open');
  const show = isTrouble(listed) ? showWarning : showInformation;
  if ((await show(describeEnd(listed, context), open)) === open) {
    await runCommand('managedAgents.session.open', reference);
  }
}
