import type { Deployment } from '../../../client/schemas/deployments';
import type { Session } from '../../../client/schemas/sessions';
import type { ServiceClient } from '../../../client/serviceClient';
import type { ListOptions, Page } from '../../../client/transport/callResult';
import { ServiceError } from '../../../client/transport/errors';
import { listUpTo } from '../../../client/transport/pagination';
import { describeError } from '../../../common/text/describeError';
import { join, type PresentationContext } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import type { Reference } from '../../../contributions';
import { toLabel } from '../../../shared/text';

/** Maximum number of members of a list that are searched. */
const maxSearched = 500;
export const pageSize = 100;
const maxNamed = 5;

export type Describe = (context: Pick<PresentationContext, 'translate'>) => string;

/** Predicates for the sessions and deployments that use a resource. Archived ones are ignored. */
export interface Uses {
  session(session: Session): boolean;
  deployment(deployment: Deployment): boolean;
}

/** Describes which sessions and deployments depend on a resource. The service has few filters for them, so only the newest are searched. */
export async function dependentsOf(client: ServiceClient, { session, deployment }: Uses, signal: AbortSignal): Promise<Describe> {
  const [sessions, deployments] = await Promise.all([
    namesOfUses(
      options => client.sessions.list({ ...options, order: 'desc' }),
      one => !one.archived_at && session(one),
      one => one.title || one.id,
      signal,
    ),
    namesOfUses(
      options => client.deployments.list(options),
      one => !one.archived_at && deployment(one),
      one => one.name || one.id,
      signal,
    ),
  ]);
  return ({ translate }) =>
    join(
      ' ',
      describeSessions(sessions, translate),
      describeFound(deployments, translate, names => translate('Used by deployments: {0}.', names)),
    );
}

/** Describes which deployments are archived together with an agent. Returns '' if there are none. */
export async function deploymentsOfAgent(client: ServiceClient, agentId: string, signal: AbortSignal): Promise<Describe> {
  const found = await namesOfUses(
    options => client.deployments.list({ ...options, agentId }),
    one => !one.archived_at && one.agent?.id === agentId,
    one => one.name || one.id,
    signal,
  );
  return ({ translate }) => describeFound(found, translate, names => translate('Deployments that are archived with it: {0}.', names));
}

/** Describes what uses a resource, with the words of its kind. A failure is mentioned too, but does not stop the user. */
export async function describeUses(
  find: () => Promise<(context: PresentationContext) => string>,
  context: PresentationContext,
): Promise<string> {
  try {
    return (await find())(context);
  } catch (error) {
    return context.translate("Couldn't check for sessions and deployments that use it: {0}", describeError(error));
  }
}

/** Returns the names of the list items that use a resource, newest first. Empty if the service has no such list. */
export async function namesOfUses<T>(
  list: (options: ListOptions) => Promise<Page<T>>,
  isUse: (item: T) => boolean,
  nameOf: (item: T) => string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  try {
    const { items } = await listUpTo(list, maxSearched, { limit: pageSize, signal });
    return items.filter(isUse).map(nameOf);
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'not_found') {
      return [];
    }
    throw error;
  }
}

function describeFound(found: readonly string[], translate: Translate, describe: (names: string) => string): string {
  const named = found.slice(0, maxNamed).map(name => toLabel(name, 60));
  const rest = found.length - named.length;
  return found.length === 0 ? '' : describe([...named, ...(rest === 0 ? [] : [translate('and {0} more', rest)])].join(', '));
}

/** Describes which sessions use a resource. Returns '' if there are none. */
export function describeSessions(found: readonly string[], translate: Translate): string {
  return describeFound(found, translate, names => translate('Used by sessions: {0}.', names));
}

/** Describes the number of credentials in a vault, and the sessions and deployments that use it. */
export async function usesOfVault(client: ServiceClient, { id }: Reference, signal: AbortSignal): Promise<Describe> {
  const isAttached = ({ vault_ids: vaults }: { readonly vault_ids?: readonly string[] | null | undefined }) =>
    vaults?.includes(id) === true;
  const [{ items, nextCursor }, uses] = await Promise.all([
    client.vaults.credentials(id).list({ limit: pageSize, signal }),
    dependentsOf(client, { session: isAttached, deployment: isAttached }, signal),
  ]);
  const active = items.filter(({ archived_at: time }) => typeof time !== 'string').length;
  return context =>
    join(' ', active === 0 ? '' : context.translate('Credentials: {0}.', nextCursor === undefined ? active : `${active}+`), uses(context));
}

/** Describes which agents use the server of a credential. Returns '' if the credential has no server. */
export async function usesOfCredential(client: ServiceClient, { id, parent }: Reference, signal: AbortSignal): Promise<Describe> {
  const { data } = await client.vaults.credentials(parent?.id ?? '').retrieve(id, { signal });
  const url = data.auth?.mcp_server_url;
  if (!url) {
    return () => '';
  }
  const found = await namesOfUses(
    options => client.agents.list(options),
    agent => (agent.mcp_servers ?? []).some(server => server.url === url),
    agent => agent.name || agent.id,
    signal,
  );
  return ({ translate }) => describeFound(found, translate, names => translate('Used by agents: {0}.', names));
}
