import type { Agent } from '../../../client/schemas/agents';
import { latestVersionKey } from '../../../client/schemas/skillKeys';
import type { ServiceClient } from '../../../client/serviceClient';
import { listAll } from '../../../client/transport/pagination';
import { type PresentationContext, shortId } from '../../../common/text/presentation';
import type { Reference } from '../../../contributions';
import { toLabel } from '../../../shared/text';

/** Agents that are looked through at most, and those that are named. */
const mostAgents = 1000;
const mostNamed = 8;

/** An agent that uses a skill, and the version that it pins; undefined for the latest. */
interface Use {
  readonly agent: string;
  readonly pinned: string | undefined;
}

type Telling = (context: PresentationContext) => string;

/** Says which agents use a skill, each with what it pins. The service has no filter for them: those that are not archived are looked through. */
export async function usesOfSkill(client: ServiceClient, { id }: Reference, signal: AbortSignal): Promise<Telling> {
  const { uses, isWhole } = await findUses(client, id, signal);
  return context => describe(uses, isWhole, context);
}

/** As `usesOfSkill`, of one version: agents that pin it, and those that use the latest while it is that. */
export async function usesOfVersion(client: ServiceClient, { id, parent }: Reference, signal: AbortSignal): Promise<Telling> {
  const skillId = parent?.id ?? '';
  const [{ uses, isWhole }, { data }] = await Promise.all([findUses(client, skillId, signal), client.skills.retrieve(skillId, { signal })]);
  const isLatest = latestVersionKey(data) === id;
  const own = uses.filter(({ pinned }) => (pinned === undefined ? isLatest : pinned === id));
  return context => describe(own, isWhole, context);
}

async function findUses(client: ServiceClient, skillId: string, signal: AbortSignal) {
  const uses: Use[] = [];
  let seen = 0;
  for await (const agent of listAll(options => client.agents.list({ ...options, signal }), { limit: 100 })) {
    if (++seen > mostAgents) {
      return { uses, isWhole: false };
    }
    const used = (agent.skills ?? []).filter(({ skill_id: id }) => id === skillId);
    uses.push(...used.map(({ version }) => ({ agent: nameOf(agent), pinned: !version || version === 'latest' ? undefined : version })));
  }
  return { uses, isWhole: true };
}

function describe(uses: readonly Use[], isWhole: boolean, { translate }: PresentationContext): string {
  const named = uses
    .slice(0, mostNamed)
    .map(({ agent, pinned }) =>
      pinned === undefined ? translate('{0} (latest version)', agent) : translate('{0} (pinned to {1})', agent, shortId(pinned)),
    );
  const more = uses.length > mostNamed ? [translate('and {0} more', uses.length - mostNamed)] : [];
  const found = uses.length === 0 ? translate('No agent uses it.') : translate('Agents that use it: {0}.', [...named, ...more].join(', '));
  return isWhole ? found : `${found} ${translate('Only {0} agents were looked at.', mostAgents)}`;
}

function nameOf({ id, name }: Agent): string {
  return toLabel(name ?? '', 60) || shortId(id);
}
