import type { ServiceClient } from '../../../client/serviceClient';
import { join, type PresentationContext } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import type { Reference } from '../../../contributions';
import { toLabel } from '../../../shared/text';

/** Pages of a list that are looked through at most, of this size, and names that are told. */
const mostPages = 5;
const pageSize = 100;
const mostNamed = 5;

interface Found {
  readonly names: readonly string[];
  /** Whether the service has more than was looked through. */
  readonly isCut: boolean;
}

type Telling = (context: Pick<PresentationContext, 'translate'>) => string;

/** Says how much is in a vault, and which sessions, not archived, it is attached to. */
export async function usesOfVault(client: ServiceClient, { id }: Reference, signal: AbortSignal): Promise<Telling> {
  const [{ items, nextCursor }, found] = await Promise.all([
    client.vaults.credentials(id).list({ limit: pageSize, signal }),
    lookThrough(
      cursor => client.sessions.list({ limit: pageSize, order: 'desc', signal, ...(cursor === undefined ? {} : { cursor }) }),
      session => (session.vault_ids ?? []).includes(id) && !session.archived_at,
      session => session.title || session.id,
    ),
  ]);
  const active = items.filter(({ archived_at: time }) => typeof time !== 'string').length;
  return ({ translate }) =>
    join(
      ' ',
      describeContent(active, nextCursor !== undefined, translate),
      toSentence(found, {
        some: names => translate('Sessions that use it: {0}.', names),
        none: translate('No session uses it.'),
        noneOfNewest: translate('No session among the newest uses it.'),
        translate,
      }),
    );
}

function describeContent(active: number, hasMore: boolean, translate: Translate): string {
  if (active === 0) {
    return '';
  }
  if (hasMore) {
    return translate('It holds more than {0} credentials.', active);
  }
  return active === 1 ? translate('It holds 1 credential.') : translate('It holds {0} credentials.', active);
}

/** Says which agents have the server of a credential; nothing of one that is for no server. */
export async function usesOfCredential(client: ServiceClient, { id, parent }: Reference, signal: AbortSignal): Promise<Telling> {
  const { data } = await client.vaults.credentials(parent?.id ?? '').retrieve(id, { signal });
  const url = data.auth?.mcp_server_url;
  if (!url) {
    return () => '';
  }
  const found = await lookThrough(
    cursor => client.agents.list({ limit: pageSize, signal, ...(cursor === undefined ? {} : { cursor }) }),
    agent => (agent.mcp_servers ?? []).some(server => server.url === url),
    agent => agent.name || agent.id,
  );
  return ({ translate }) =>
    toSentence(found, {
      some: names => translate('Agents that have its server: {0}.', names),
      none: translate('No agent has its server.'),
      noneOfNewest: translate('No agent among the newest has its server.'),
      translate,
    });
}

async function lookThrough<T>(
  list: (cursor: string | undefined) => Promise<{ readonly items: readonly T[]; readonly nextCursor: string | undefined }>,
  uses: (item: T) => boolean,
  nameOf: (item: T) => string,
): Promise<Found> {
  const names: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const { items, nextCursor } = await list(cursor);
    names.push(...items.filter(uses).map(nameOf));
    cursor = nextCursor;
    if (cursor === undefined) {
      break;
    }
  }
  return { names, isCut: cursor !== undefined };
}

interface UseWords {
  some(names: string): string;
  readonly none: string;
  readonly noneOfNewest: string;
  readonly translate: Translate;
}

function toSentence({ names, isCut }: Found, { some, none, noneOfNewest, translate }: UseWords): string {
  if (names.length === 0) {
    return isCut ? noneOfNewest : none;
  }
  const told = names.slice(0, mostNamed).map(name => toLabel(name, 60));
  const rest = names.length - told.length;
  return some([...told, ...(rest === 0 ? [] : [translate('and {0} more', rest)])].join(', '));
}
