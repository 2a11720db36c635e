import * as vscode from 'vscode';
import { offer, showWarning } from './notifications';

/** Error for an action that needs a trusted workspace. The message names the action. */
export class UntrustedError extends Error {}

/** Shows a message that an action needs a trusted workspace, with a button to manage trust. */
export async function showUntrusted(message: string): Promise<void> {
  const manage = () => vscode.commands.executeCommand('workbench.trust.manage');
  await offer(showWarning, message, [vscode.l10n.t('Manage Workspace Trust'), manage]);
}
