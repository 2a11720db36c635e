import * as vscode from 'vscode';
import { toLabel } from '../../shared/text';
import type { Connections } from '../connection';
import { type LinkTarget, printLink } from './linkForm';
import { toLink } from './toLink';

/** Extension that opens links: the manifest's `publisher` and `name`. */
const opener = 'managed-agents.managed-agents';

/**
 * Copies links to resources of one connection to the clipboard, one per line. Throws an error for the user if a link can't be created: an
 * id that looks like a secret must be neither shared nor cut. Doesn't use `asExternalUri`, because its links expire and open only this
 * window.
 */
export async function copyLinks(
  connections: Pick<Connections, 'find' | 'whenKnown'>,
  connectionName: string,
  targets: readonly LinkTarget[],
): Promise<void> {
  await connections.whenKnown;
  const { t } = vscode.l10n;
  const connection = connections.find(connectionName);
  if (connection === undefined) {
    throw new Error(t('The connection {0} no longer exists. Add it again.', toLabel(connectionName, 80)));
  }
  const links = targets.map(target => {
    const link = toLink(target, connection);
    if (typeof link === 'string') {
      throw new Error(t("The link can't be copied. Copy the ID instead."));
    }
    return `${vscode.env.uriScheme}://${opener}${printLink(link)}`;
  });
  await vscode.env.clipboard.writeText(links.join('\n'));
  vscode.window.setStatusBarMessage(t('Links copied: {0}', String(links.length)), 3000);
}
