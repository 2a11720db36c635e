import * as vscode from 'vscode';
import { isLoopback } from '../../../../client/transport/baseUrl';
import { askModal, showInformation } from '../../../../common/asking/notifications';
import { toLabel } from '../../../../shared/text';

/** Opens a link in the browser after the user has confirmed its real target. Shows a message if the link can't be opened. */
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

interface LinkTarget {
  /** Normalised URL, with the host in ASCII and other characters percent-encoded. */
  readonly href: string;
  /** Host and port as they are resolved, with punycode instead of look-alike letters. */
  readonly host: string;
  /** The whole address on one line, safe to show. */
  readonly shown: string;
}

/** Maximum length of an address in a dialog, in characters. A longer address is cut, and the dialog shows how much is left out. */
const shownLength = 600;

/**
 * Returns the target of a link that may be opened: https, or http to this machine. `undefined` for other links, and for links with a user
 * name.
 */
export function toLinkTarget(href: string): LinkTarget | undefined {
  const url = URL.canParse(href.trim()) ? new URL(href.trim()) : undefined;
  const isOpenable = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (url === undefined || !isOpenable || url.hostname === '' || url.username !== '' || url.password !== '') {
    return undefined;
  }
  return { href: url.href, host: url.host, shown: toLabel(url.href, shownLength) };
}
