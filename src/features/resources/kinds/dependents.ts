import type { Agent } from '../../../client/schemas/agents';
import type { Deployment } from '../../../client/schemas/deployments';
import type { Session } from '../../../client/schemas/sessions';
import { latestVersionKey } from '../../../client/schemas/skillKeys';
import type { ServiceClient } from '../../../client/serviceClient';
import type { ListOptions, Page } from '../../../client/transport/callResult';
import { ServiceError } from '../../../client/transport/errors';
import { listUpTo } from '../../../client/transport/pagination';
import { describeError } from '../../../common/text/describeError';
import { join, nameOrId, type PresentationContext, shortId } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import type { Reference } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import type { ResourceKind } from '../resourceKind';

/** Maximum number of members of a list that are searched. */
const maxSearched = 1000;
const pageSize = 100;
const maxNamed = 5;

type Describe = (context: Pick<PresentationContext, 'translate'>) => string;

/** Predicates for the sessions and deployments that use a resource. Archived ones are ignored. */
interface Uses {
  session(session: Session): boolean;
  deployment(deployment: Deployment): boolean;
}

/** Describes which sessions and deployments depend on a resource. The service has few filters for them, so only the newest are searched. */
export async function dependentsOf(client: ServiceClient, { session, deployment }: Uses, signal: AbortSignal): Promise<Describe> {
  const [sessions, deployments] = await Promise.all([sessionsThat(client, session, signal), deploymentsThat(client, deployment, signal)]);
  return ({ translate }) =>
    join(
      ' ',
      describeSessions(sessions, translate),
      describeFound(deployments, translate, names => translate('Used by deployments: {0}.', names)),
    );
}

function sessionsThat(client: ServiceClient, isUse: Uses['session'], signal: AbortSignal): Promise<readonly string[]> {
  const list = (options: ListOptions) => client.sessions.list({ ...options, order: 'desc' });
  return findUses(list, one => (!one.archived_at && isUse(one) ? [one.title || one.id] : []), signal);
}

function deploymentsThat(
  client: ServiceClient,
  isUse: Uses['deployment'],
  signal: AbortSignal,
  agentId?: string,
): Promise<readonly string[]> {
  const list = (options: ListOptions) => client.deployments.list({ ...options, ...(agentId !== undefined && { agentId }) });
  return findUses(list, one => (!one.archived_at && isUse(one) ? [one.name || one.id] : []), signal);
}

/** Describes which deployments are archived together with an agent. Returns '' if there are none. */
export async function deploymentsOfAgent(client: ServiceClient, agentId: string, signal: AbortSignal): Promise<Describe> {
  const found = await deploymentsThat(client, ({ agent }) => agent?.id === agentId, signal, agentId);
  return ({ translate }) => describeFound(found, translate, names => translate('Deployments that are archived with it: {0}.', names));
}

/** Describes what uses a resource, with the words of its kind. A failure is mentioned too, but does not stop the user. */
export async function describeUses(
  { usedBy }: Pick<ResourceKind, 'usedBy'>,
  client: ServiceClient,
  reference: Reference,
  context: PresentationContext,
): Promise<string> {
  try {
    return (await usedBy?.(client, reference, new AbortController().signal))?.(context) ?? '';
  } catch (error) {
    return context.translate("Couldn't check for sessions and deployments that use it: {0}", describeError(error));
  }
}

/** Returns what `toUses` returns for the items of a list, newest first. Empty if the service has no such list. */
async function findUses<T, U>(
  list: (options: ListOptions) => Promise<Page<T>>,
  toUses: (item: T) => readonly U[],
  signal: AbortSignal,
): Promise<readonly U[]> {
  try {
    return (await listUpTo(list, maxSearched, { limit: pageSize, signal })).items.flatMap(toUses);
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

function describeSessions(found: readonly string[], translate: Translate): string {
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
  const found = await findUses(
    options => client.agents.list(options),
    ({ id: agentId, name, mcp_servers: servers }) => ((servers ?? []).some(server => server.url === url) ? [name || agentId] : []),
    signal,
  );
  return ({ translate }) => describeFound(found, translate, names => translate('Used by agents: {0}.', names));
}

/**
 * Describes which agents and sessions use a skill, or only one version of it. Agents are named with the version that they pin. Sessions
 * keep the agent version that they started with, which may not be the current one.
 */
export async function usesOfSkill(client: ServiceClient, skillId: string, signal: AbortSignal, version?: string): Promise<Describe> {
  const latest = version === undefined ? undefined : latestVersionKey((await client.skills.retrieve(skillId, { signal })).data);
  const pinsIn = (skills: Agent['skills']) =>
    (skills ?? [])
      .filter(({ skill_id: id }) => id === skillId)
      .map(({ version: pinned }) => (!pinned || pinned === 'latest' ? undefined : pinned))
      .filter(pinned => version === undefined || (pinned ?? latest) === version);
  const [agents, sessions] = await Promise.all([
    findUses(
      options => client.agents.list(options),
      ({ id, name, skills }) => pinsIn(skills).map(pinned => ({ agent: nameOrId(name, id, 60), pinned })),
      signal,
    ),
    sessionsThat(client, ({ agent }) => pinsIn(agent?.skills).length > 0, signal),
  ]);
  return ({ translate }) => {
    const named = agents.map(({ agent, pinned }) =>
      pinned === undefined ? translate('{0} (latest version)', agent) : translate('{0} (version {1})', agent, shortId(pinned)),
    );
    return join(
      ' ',
      describeFound(named, translate, names => translate('Used by agents: {0}.', names)),
      describeSessions(sessions, translate),
    );
  };
}
