import type { ServiceClient } from '../../../client/serviceClient';
import { join } from '../../../common/text/presentation';
import type { Reference } from '../../../contributions';
import { dependentsOf, describeFound, namesOfUses, pageSize, type Telling } from './dependents';

/** Describes the number of credentials in a vault, and the sessions and deployments that use it. */
export async function usesOfVault(client: ServiceClient, { id }: Reference, signal: AbortSignal): Promise<Telling> {
  const isAttached = ({ vault_ids: vaults }: { readonly vault_ids?: readonly string[] | null | undefined }) =>
    vaults?.includes(id) === true;
  const [{ items, nextCursor }, told] = await Promise.all([
    client.vaults.credentials(id).list({ limit: pageSize, signal }),
    dependentsOf(client, { session: isAttached, deployment: isAttached }, signal),
  ]);
  const active = items.filter(({ archived_at: time }) => typeof time !== 'string').length;
  return context =>
    join(' ', active === 0 ? '' : context.translate('Credentials: {0}.', nextCursor === undefined ? active : `${active}+`), told(context));
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
  return ({ translate }) => describeFound(found, translate, names => translate('Used by agents: {0}.', names));
}
