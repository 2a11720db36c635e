import * as vscode from 'vscode';
import { showWarning } from './notifications';

/** Something was not done because the user does not trust the workspace; the message says what. */
export class UntrustedError extends Error {}

/** Says that something was not done for want of trust, and leads to where it is given. */
export async function tellUntrusted(message: string): Promise<void> {
  const manage = vscode.l10n.t('Manage Workspace Trust');
  if ((await showWarning(message, manage)) === manage) {
    await vscode.commands.executeCommand('workbench.trust.manage');
  }
}
