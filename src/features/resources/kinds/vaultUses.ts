import type { ServiceClient } from '../../../client/serviceClient';
import { join } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import type { Reference } from '../../../contributions';
import { dependentsOf, describeFound, type Found, namesOfUses, pageSize, type Telling } from './dependents';

/** Describes the number of credentials in a vault, and the sessions and deployments that use it. */
export async function usesOfVault(client: ServiceClient, { id }: Reference, signal: AbortSignal): Promise<Telling> {
  const isAttached = ({ vault_ids: vaults }: { readonly vault_ids?: readonly string[] | null | undefined }) =>
    vaults?.includes(id) === true;
  const [{ items, nextCursor }, told] = await Promise.all([
    client.vaults.credentials(id).list({ limit: pageSize, signal }),
    dependentsOf(client, { session: isAttached, deployment: isAttached }, signal),
  ]);
  const active = items.filter(({ archived_at: time }) => typeof time !== 'string').length;
  return context => join(' ', describeContent(active, nextCursor !== undefined, context.translate), told(context));
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

/** Describes which agents use the server of a credential. Returns '' if the credential has no server. */
export async function usesOfCredential(client: ServiceClient, { id, parent }: Reference, signal: AbortSignal): Promise<Telling> {
  const { data } = await client.vaults.credentials(parent?.id ?? '').retrieve(id, { signal });
  const url = data.auth?.mcp_server_url;
  if (!url) {
    return () => '';
  }
  const found = await namesOfUses(
    page => client.agents.list({ ...page, limit: pageSize, signal }),
    agent => (agent.mcp_servers ?? []).some(server => server.url === url),
    agent => agent.name || agent.id,
  );
  return ({ translate }) => describeAgents(found, translate);
}

function describeAgents(found: Found | undefined, translate: Translate): string {
  return describeFound(found, translate, {
    noneYet: () => translate('No agent among the newest has its server.'),
    none: () => translate('No agent has its server.'),
    some: names => translate('Agents that have its server: {0}.', names),
  });
}
