import * as vscode from 'vscode';
import { showWarning } from './notifications';

/** Error for an action that needs a trusted workspace. The message names the action. */
export class UntrustedError extends Error {}

/** Shows a message that an action needs a trusted workspace, with a button to manage trust. */
export async function showUntrusted(message: string): Promise<void> {
  const manage = vscode.l10n.t('Manage Workspace Trust');
  if ((await showWarning(message, manage)) === manage) {
    await vscode.commands.executeCommand('workbench.trust.manage');
  }
}
