import type { Agent } from '../../../client/resources/agents';
import type { Deployment } from '../../../client/resources/deployments';
import type { Session } from '../../../client/resources/sessions';
import { latestVersionKey } from '../../../client/resources/skills';
import type { ServiceClient } from '../../../client/serviceClient';
import type { ListOptions, Page } from '../../../client/transport/callResult';
import { ServiceError } from '../../../client/transport/errors';
import { listUpTo } from '../../../client/transport/pagination';
import { describeError } from '../../../common/text/describeError';
import { nameOrId, type PresentationContext, shortId } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import type { Reference } from '../../../contributions';
import { join, toLabel } from '../../../shared/text';
import type { ResourceKind } from '../resourceKind';

/** Maximum number of members of a list that are searched. */
const maxSearched = 1000;
const pageSize = 100;
const maxNamed = 5;

type Words = Pick<PresentationContext, 'translate'>;

/** Predicates for the sessions and deployments that use a resource. Not called for archived sessions and deployments. */
interface Uses {
  session(session: Session): boolean;
  deployment(deployment: Deployment): boolean;
}

/**
 * Describes which sessions and deployments depend on a resource. The service has few filters for them, so only the newest sessions and
 * deployments are searched.
 */
export async function dependentsOf(client: ServiceClient, { session, deployment }: Uses, { translate }: Words): Promise<string> {
  const [sessions, deployments] = await Promise.all([describeSessions(client, session, translate), deploymentsThat(client, deployment)]);
  return join(
    ' ',
    sessions,
    describeFound(deployments, translate, names => translate('Used by deployments: {0}.', names)),
  );
}

async function describeSessions(client: ServiceClient, isUse: Uses['session'], translate: Translate): Promise<string> {
  const list = (options: ListOptions) => client.sessions.list({ ...options, order: 'desc' });
  const found = await findUses(list, one => (!one.archived_at && isUse(one) ? [one.title || one.id] : []));
  return describeFound(found, translate, names => translate('Used by sessions: {0}.', names));
}

function deploymentsThat(client: ServiceClient, isUse: Uses['deployment'], agentId?: string): Promise<readonly string[]> {
  const list = (options: ListOptions) => client.deployments.list({ ...options, ...(agentId !== undefined && { agentId }) });
  return findUses(list, one => (!one.archived_at && isUse(one) ? [one.name || one.id] : []));
}

/** Describes which deployments are archived together with an agent. Returns '' if there are no such deployments. */
export async function deploymentsOfAgent(client: ServiceClient, { id }: Reference, { translate }: Words): Promise<string> {
  const found = await deploymentsThat(client, ({ agent }) => agent?.id === id, id);
  return describeFound(found, translate, names => translate('Also archives these deployments: {0}.', names));
}

/** Describes the uses of a resource with its kind's `usedBy`. Describes a failure instead of throwing, so that the user can go on. */
export async function describeUses(
  { usedBy }: Pick<ResourceKind, 'usedBy'>,
  client: ServiceClient,
  reference: Reference,
  context: PresentationContext,
): Promise<string> {
  try {
    return (await usedBy?.(client, reference, context)) ?? '';
  } catch (error) {
    return context.translate("Couldn't check for sessions and deployments that use it: {0}", describeError(error));
  }
}

/** Collects the results of `toUses` for the items of a list, newest first. Empty if the service has no such list. */
async function findUses<T, U>(list: (options: ListOptions) => Promise<Page<T>>, toUses: (item: T) => readonly U[]): Promise<readonly U[]> {
  try {
    return (await listUpTo(list, maxSearched, { limit: pageSize })).items.flatMap(toUses);
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

/** Describes the number of credentials in a vault, and the sessions and deployments that use it. */
export async function usesOfVault(client: ServiceClient, { id }: Reference, context: Words): Promise<string> {
  const isAttached = ({ vault_ids: vaults }: Pick<Session | Deployment, 'vault_ids'>) => vaults?.includes(id) === true;
  const [{ items, nextCursor }, uses] = await Promise.all([
    client.vaults.credentials(id).list({ limit: pageSize }),
    dependentsOf(client, { session: isAttached, deployment: isAttached }, context),
  ]);
  const active = items.filter(({ archived_at: time }) => typeof time !== 'string').length;
  return join(' ', active === 0 ? '' : context.translate('Credentials: {0}.', nextCursor === undefined ? active : `${active}+`), uses);
}

/** Describes which agents use the server of a credential. Returns '' if the credential has no server. */
export async function usesOfCredential(client: ServiceClient, { id, parent }: Reference, { translate }: Words): Promise<string> {
  const url = (await client.vaults.credentials(parent?.id ?? '').retrieve(id)).data.auth?.mcp_server_url;
  const isUse = ({ mcp_servers: servers }: Agent) => (servers ?? []).some(server => server.url === url);
  const found = url ? await findUses(client.agents.list, agent => (isUse(agent) ? [agent.name || agent.id] : [])) : [];
  return describeFound(found, translate, names => translate('Used by agents: {0}.', names));
}

/**
 * Describes which agents and sessions use a skill, or only one version of it. Agents are named with the version that they pin. Sessions
 * keep the agent version that they started with, which may not be the current version.
 */
export async function usesOfSkill(client: ServiceClient, skillId: string, { translate }: Words, version?: string): Promise<string> {
  const latest = version === undefined ? undefined : latestVersionKey((await client.skills.retrieve(skillId)).data);
  const pinsIn = (skills: Agent['skills']) =>
    (skills ?? [])
      .filter(({ skill_id: id }) => id === skillId)
      .map(({ version: pinned }) => (!pinned || pinned === 'latest' ? undefined : pinned))
      .filter(pinned => version === undefined || (pinned ?? latest) === version);
  const toNames = ({ id, name, skills }: Agent) => {
    const agent = nameOrId(name, id, 60);
    return pinsIn(skills).map(pinned =>
      pinned === undefined ? translate('{0} (latest version)', agent) : translate('{0} (version {1})', agent, shortId(pinned)),
    );
  };
  const [agents, sessions] = await Promise.all([
    findUses(client.agents.list, toNames),
    describeSessions(client, ({ agent }) => pinsIn(agent?.skills).length > 0, translate),
  ]);
  return join(
    ' ',
    describeFound(agents, translate, names => translate('Used by agents: {0}.', names)),
    sessions,
  );
}
