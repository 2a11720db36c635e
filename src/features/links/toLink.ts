import { maskText } from '../../common/text/maskText';
import { toVisibleText } from '../../shared/text';
import type { Connection } from '../connection';
import { toLinkHost } from './linkedConnections';
import { isLink, isName, type Link, type LinkTarget } from './linkForm';

/**
 * Creates the link to a resource of a connection, or returns why that is impossible. `secret`: part of the link would be masked. `form`: it
 * contains characters that links can't have. An invalid connection name is omitted, because it is only a hint.
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
