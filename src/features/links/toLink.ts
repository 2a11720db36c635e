import { maskText } from '../../common/text/maskText';
import { toVisibleText } from '../../shared/text';
import type { Connection } from '../connection';
import { toLinkHost } from './linkedConnections';
import { isLink, isName, type Link, type LinkTarget } from './linkForm';

/**
 * The link to something of a connection. `secret`: something in it would be masked wherever it is told; `form`: it has characters that
 * no link holds. The connection's name only helps whoever opens the link, so one that cannot stand there is left out.
 */
export function toLink(target: LinkTarget, connection: Pick<Connection, 'name' | 'baseUrl' | 'isEmulator'>): Link | 'secret' | 'form' {
  const { name } = connection;
  const link: Link = { ...target, host: toLinkHost(connection), ...(isName(name) && !isSecret(name) && { connection: name }) };
  return Object.values(link).some(isSecret) ? 'secret' : isLink(link) ? link : 'form';
}

/** Whether masking would hide any of it; what it only makes visible is none. */
function isSecret(value: unknown): boolean {
  return typeof value === 'string' && maskText(value) !== toVisibleText(value);
}
