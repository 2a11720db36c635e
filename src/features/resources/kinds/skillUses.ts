import type { Agent } from '../../../client/schemas/agents';
import { latestVersionKey } from '../../../client/schemas/skillKeys';
import type { ServiceClient } from '../../../client/serviceClient';
import { listUpTo } from '../../../client/transport/pagination';
import { join, nameOrId, type PresentationContext, shortId } from '../../../common/text/presentation';
import type { Reference } from '../../../contributions';
import { describeSessions, namesOfUses, pageSize } from './dependents';

/** Maximum number of agents that are searched, and of names that are shown. */
const maxAgents = 1000;
const maxNamed = 8;

/** Agent that uses a skill, and the version that it pins. `undefined` for the latest version. */
interface Use {
  readonly agent: string;
  readonly pinned: string | undefined;
}

/**
 * Describes which agents use a skill, each with its pinned version, and which sessions have it. The service has no filter for either, so
 * all that are not archived are searched.
 */
export async function usesOfSkill(client: ServiceClient, { id }: Reference, signal: AbortSignal) {
  const [{ uses, searched }, sessions] = await Promise.all([findUses(client, id, signal), findSessions(client, id, () => true, signal)]);
  return (context: PresentationContext) => describeAll(uses, searched, sessions, context);
}

/**
 * Describes the uses of one version like `usesOfSkill`: by agents that pin it, and by those that use the latest version if it is the
 * latest.
 */
export async function usesOfVersion(client: ServiceClient, { id, parent }: Reference, signal: AbortSignal) {
  const skillId = parent?.id ?? '';
  const [{ uses, searched }, { data }] = await Promise.all([
    findUses(client, skillId, signal),
    client.skills.retrieve(skillId, { signal }),
  ]);
  const isLatest = latestVersionKey(data) === id;
  const isIt = (pinned: string | undefined) => (pinned === undefined ? isLatest : pinned === id);
  const sessions = await findSessions(client, skillId, isIt, signal);
  return (context: PresentationContext) =>
    describeAll(
      uses.filter(({ pinned }) => isIt(pinned)),
      searched,
      sessions,
      context,
    );
}

/**
 * Returns the names of the sessions that use a skill. They keep the agent version that they started with, which may not be the current one.
 */
function findSessions(client: ServiceClient, skillId: string, isIt: (pinned: string | undefined) => boolean, signal: AbortSignal) {
  return namesOfUses(
    options => client.sessions.list({ ...options, order: 'desc' }),
    ({ archived_at: archived, agent }) =>
      !archived && (agent?.skills ?? []).some(({ skill_id: id, version }) => id === skillId && isIt(pinnedOf(version))),
    ({ id, title }) => title || id,
    signal,
  );
}

function pinnedOf(version: string | null | undefined): string | undefined {
  return !version || version === 'latest' ? undefined : version;
}

/** Describes the agents and sessions that use a skill. `searched` is the number of agents checked, `undefined` if all were. */
function describeAll(
  uses: readonly Use[],
  searched: number | undefined,
  sessions: readonly string[],
  context: PresentationContext,
): string {
  return join(' ', describeAgents(uses, searched, context), describeSessions(sessions, context.translate));
}

async function findUses(client: ServiceClient, skillId: string, signal: AbortSignal) {
  const { items, isWhole } = await listUpTo(options => client.agents.list(options), maxAgents, { limit: pageSize, signal });
  const uses = items.flatMap(agent =>
    (agent.skills ?? [])
      .filter(({ skill_id: id }) => id === skillId)
      .map(({ version }): Use => ({ agent: nameOf(agent), pinned: pinnedOf(version) })),
  );
  return { uses, searched: isWhole ? undefined : items.length };
}

function describeAgents(uses: readonly Use[], searched: number | undefined, { translate }: PresentationContext): string {
  const named = uses
    .slice(0, maxNamed)
    .map(({ agent, pinned }) =>
      pinned === undefined ? translate('{0} (latest version)', agent) : translate('{0} (version {1})', agent, shortId(pinned)),
    );
  const more = uses.length > maxNamed ? [translate('and {0} more', uses.length - maxNamed)] : [];
  return join(
    ' ',
    uses.length === 0 ? '' : translate('Used by agents: {0}.', [...named, ...more].join(', ')),
    searched === undefined ? '' : translate('Only {0} agents were checked.', searched),
  );
}

function nameOf({ id, name }: Agent): string {
  return nameOrId(name, id, 60);
}
