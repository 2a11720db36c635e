import * as vscode from 'vscode';
import { toLabel } from '../shared/text';
import { withoutIcons } from './text/withoutIcons';

/** Copies a text to the clipboard and confirms the copy in the status bar. */
export async function copyText(text: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(vscode.l10n.t('Copied'), 2000);
}

/** Copies IDs to the clipboard, one per line, and confirms the copy in the status bar. */
export async function copyIds(ids: readonly string[]): Promise<void> {
  await vscode.env.clipboard.writeText(ids.join('\n'));
  vscode.window.setStatusBarMessage(vscode.l10n.t('Copied {0}', withoutIcons(toLabel(ids.join(', '), 80))), 3000);
}
