import type { Translate } from '../../common/text/translate';
import { toLabel } from '../../shared/text';
import type { Connection } from '../connection';
import { toLinkHost } from './linkedConnections';
import type { Link, LinkProblem, LinkTarget } from './linkForm';

/** A question in a dialog. */
export interface LinkQuestion {
  readonly message: string;
  readonly detail: string;
}

/** Describes why a link is not opened. Does not quote the link: anybody may have written it. */
export function describeLinkProblem(problem: LinkProblem, t: Translate): string {
  return problem === 'unknown'
    ? t('This link was not opened: it leads to nothing that Managed Agents knows.')
    : t('This link was not opened: it is incomplete or damaged. Ask whoever sent it to copy it again.');
}

/** Returns the question before a link is opened, with its contents and the service to be used. */
export function toOpenQuestion(link: Link, connection: Pick<Connection, 'name' | 'baseUrl' | 'isEmulator'>, t: Translate): LinkQuestion {
  const host = connection.isEmulator ? t('the emulator') : toLabel(toLinkHost(connection), 100);
  const detail = connection.isEmulator
    ? t('A link wants to open it. The built-in emulator runs on this machine and is started if it is stopped.')
    : t('A link wants to open it. The service is asked for it with the API key of your connection "{0}".', toLabel(connection.name, 100));
  const place = describePlace(link, t);
  return {
    message: askFor(link, host, t),
    detail: place === undefined ? detail : `${place}\n\n${detail}`,
  };
}

/**
 * Returns the message if no connection of this machine leads to a link's host. `namesake` is a connection with the link's name but another
 * host.
 */
export function toMissingQuestion(
  link: Link,
  namesake: Pick<Connection, 'name' | 'baseUrl' | 'isEmulator'> | undefined,
  t: Translate,
): LinkQuestion {
  const host = toLabel(link.host, 100);
  const detail = t('Add a connection to {0} if you trust that service, then open the link again. Nothing was sent.', host);
  const elsewhere =
    namesake && !namesake.isEmulator
      ? t('Your connection "{0}" leads to {1}.', toLabel(namesake.name, 100), toLabel(toLinkHost(namesake), 100))
      : undefined;
  return {
    message: t('None of your connections leads to {0}.', host),
    detail: elsewhere === undefined ? detail : `${elsewhere} ${detail}`,
  };
}

/** Describes why a link can't be created. */
export function describeNoLink(reason: 'secret' | 'form', t: Translate): string {
  return reason === 'secret'
    ? t('The link was not copied: its ID looks like a secret, and links are passed on. Copy the ID instead if you are sure.')
    : t('The link was not copied: its ID or host has characters that a link cannot hold.');
}

function askFor(link: LinkTarget, host: string, t: Translate): string {
  const id = toLabel(link.id, 100);
  switch (link.kind) {
    case 'session':
      return t('Open session {0} on {1}?', id, host);
    case 'batch':
      return t('Open batch {0} on {1}?', id, host);
    case 'agent':
      return link.version === undefined
        ? t('Open agent {0} on {1}?', id, host)
        : t('Open version {0} of agent {1} on {2}?', String(link.version), id, host);
  }
}

function describePlace(link: LinkTarget, t: Translate): string | undefined {
  if (link.kind === 'session' && link.event !== undefined) {
    return t('Event: {0}', toLabel(link.event, 100));
  }
  return link.kind === 'batch' && link.customId !== undefined ? t('Request: {0}', toLabel(link.customId, 100)) : undefined;
}
