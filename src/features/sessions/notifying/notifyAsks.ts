import * as vscode from 'vscode';
import { showInformation } from '../../../common/asking/notifications';
import { runCommand } from '../../../common/commands';
import type { PresentationContext } from '../../../common/text/presentation';
import type { SessionReference } from '../../../contributions';
import type { OpenAsk } from '../facts/openAsks';
import { describeAsk } from '../list/sessionPresentation';

/** Shows a notification about a session with open asks that opens it at the first one. */
export async function notifyAsks(
  reference: SessionReference,
  name: string,
  asks: readonly OpenAsk[],
  context: PresentationContext,
): Promise<void> {
  const [first, ...others] = asks;
  if (first === undefined) {
    return;
  }
  const what = describeAsk(first, context);
  const message = vscode.l10n.t('"{0}" needs you: {1}', name, what);
  const more = others.length === 0 ? '' : ` ${vscode.l10n.t('({0} more)', others.length)}`;
  const open = vscode.l10n.t('Open');
  if ((await showInformation(`${message}${more}`, open)) === open) {
    await runCommand('managedAgents.session.open', reference, first.eventId);
  }
}
