import type { Translate } from '../../common/text/translate';
import { toLabel } from '../../shared/text';
import type { Connection } from '../connection';
import { toLinkHost } from './linkedConnections';
import type { Link, LinkTarget } from './linkForm';

export interface LinkQuestion {
  readonly message: string;
  readonly detail: string;
}

/** Returns the question to ask before a link is opened. Shows the link's contents and the service to be used. */
export function toOpenQuestion(link: Link, connection: Pick<Connection, 'name' | 'baseUrl' | 'isEmulator'>, t: Translate): LinkQuestion {
  const host = connection.isEmulator ? t('the emulator') : toLabel(toLinkHost(connection), 100);
  const detail = t('The link uses your connection "{0}".', toLabel(connection.name, 100));
  const target = describeTarget(link, t);
  return {
    message: t('Open {0} on {1}?', toLabel(link.id, 100), host),
    detail: target === undefined ? detail : `${target}\n\n${detail}`,
  };
}

/**
 * Returns the message for a link whose host has no connection on this machine. `namesake` is a connection with the link's connection name
 * but another host.
 */
export function toMissingQuestion(
  link: Link,
  namesake: Pick<Connection, 'name' | 'baseUrl' | 'isEmulator'> | undefined,
  t: Translate,
): LinkQuestion {
  const host = toLabel(link.host, 100);
  const detail = t('Add a connection to {0} if you trust it, then open the link again.', host);
  const elsewhere =
    namesake && !namesake.isEmulator
      ? t('Your connection "{0}" points to {1}.', toLabel(namesake.name, 100), toLabel(toLinkHost(namesake), 100))
      : undefined;
  return {
    message: t('No connection points to {0}.', host),
    detail: elsewhere === undefined ? detail : `${elsewhere} ${detail}`,
  };
}

function describeTarget(link: LinkTarget, t: Translate): string | undefined {
  if (link.kind === 'session' && link.event !== undefined) {
    return t('Event: {0}', toLabel(link.event, 100));
  }
  return link.kind === 'batch' && link.customId !== undefined ? t('Request: {0}', toLabel(link.customId, 100)) : undefined;
}
