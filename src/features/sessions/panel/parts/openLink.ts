import * as vscode from 'vscode';
import { askModal, showInformation } from '../../../../common/asking/notifications';
import { toLabel } from '../../../../shared/text';
import { toLinkTarget } from './linkTarget';

/**
 * Opens a link from a transcript or an answer in the browser, after the user saw its real target. Shows a message if it can't be opened.
 */
export async function openLink(href: string): Promise<void> {
  const target = toLinkTarget(href);
  if (target === undefined) {
    const copy = vscode.l10n.t('Copy Address');
    const message = vscode.l10n.t('Only https links can be opened.');
    if ((await showInformation(message, copy)) === copy) {
      await vscode.env.clipboard.writeText(href);
    }
    return;
  }
  const open = vscode.l10n.t('Open in Browser');
  const copy = vscode.l10n.t('Copy Address');
  const choice = await askModal(
    vscode.l10n.t('Open a link to {0} that a model wrote?', toLabel(target.host, 300)),
    { detail: target.shown },
    open,
    copy,
  );
  if (choice === open) {
    await vscode.env.openExternal(vscode.Uri.parse(target.href, true));
  } else if (choice === copy) {
    await vscode.env.clipboard.writeText(target.href);
  }
}
