import * as vscode from 'vscode';
import { maskText } from '../../common/text/maskText';
import { toLabel, toVisibleText } from '../../shared/text';
import type { Connection, Connections } from '../connection';
import { isLink, isName, type Link, type LinkTarget, printLink, toLinkHost } from './linkForm';

/** Extension that opens links: the manifest's `publisher` and `name`. */
const opener = 'managed-agents.managed-agents';

/**
 * Copies links to resources of one connection to the clipboard, one per line. Throws an error for the user if a link can't be created,
 * because an id that looks like a secret must be neither shared nor shortened. Doesn't use `asExternalUri`, because its links expire and
 * open only this window.
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
      throw new Error(t("Can't copy the link. Copy the ID instead."));
    }
    return `${vscode.env.uriScheme}://${opener}${printLink(link)}`;
  });
  await vscode.env.clipboard.writeText(links.join('\n'));
  vscode.window.setStatusBarMessage(t('Links copied: {0}', String(links.length)), 3000);
}

/**
 * Creates the link to a resource of a connection, or returns why this is impossible. `secret`: part of the link would be masked. `form`:
 * the link contains characters that links can't have. An invalid connection name is omitted, because it is only a hint.
 */
export function toLink(target: LinkTarget, connection: Pick<Connection, 'name' | 'baseUrl' | 'isEmulator'>): Link | 'secret' | 'form' {
  const { name } = connection;
  const link: Link = { ...target, host: toLinkHost(connection), ...(isName(name) && !isSecret(name) && { connection: name }) };
  return Object.values(link).some(isSecret) ? 'secret' : isLink(link) ? link : 'form';
}

/** Returns whether a value contains a secret. Characters that are only made visible don't count. */
function isSecret(value: unknown): boolean {
  return typeof value === 'string' && maskText(value) !== toVisibleText(value);
}
