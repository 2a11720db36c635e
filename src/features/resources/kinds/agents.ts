import type { Agent } from '../../../client/resources/agents';
import { nameOrId, type PresentationContext } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import type { AgentReference, Reference } from '../../../contributions';
import { isRecord } from '../../../shared/isRecord';
import { join, toLabel } from '../../../shared/text';
import type { Fact, ResourceKind } from '../resourceKind';
import { agentDefinition } from './agentDefinition';
import { defineKind } from './defineKind';
import { deploymentsOfAgent } from './dependents';

/** Agents of the service (API facts, section 10). */
export const agents: ResourceKind<Agent> = defineKind({
  kind: 'agent',
  icon: 'hubot',
  hasArchived: true,
  title: translate => translate('Agents'),
  calls: ({ agents: calls }) => calls,
  name: agentName,
  row: (agent, { translate }) => ({
    words: [typeof agent.version === 'number' ? translate('v{0}', agent.version) : '', toLabel(modelOf(agent), 60)],
    abilities: ['editable', 'comparable'],
    whileActive: ['startable', 'archivable'],
  }),
  facts: factsOf,
  definition: agentDefinition,
  usedBy: deploymentsOfAgent,
  acts: {
    archive: { detail: translate => translate("It can't get new versions or start sessions any more. This can't be undone.") },
  },
  children: () => [agentVersions],
  target: toAgentReference,
});

/** Listed version of an agent. Its ID is its number. */
export interface AgentVersion extends Agent {
  /** Version as the service returned it. */
  readonly original: Agent;
  readonly isLatest: boolean;
  readonly isOfArchived: boolean;
}

/** Versions of an agent, which never change (API facts, section 10). */
export const agentVersions: ResourceKind<AgentVersion> = defineKind<AgentVersion>({
  kind: 'agentVersion',
  ability: 'agent',
  icon: 'git-commit',
  title: translate => translate('Agents'),
  calls: ({ agents: calls }, parent) => {
    const agentId = parent?.id ?? '';
    // Some services list only older versions. If this request fails, only the mark of the latest version is missing.
    const latest = async () => (await calls.retrieve(agentId).catch(() => undefined))?.data;
    return {
      list: async options => {
        const [page, agent] = await Promise.all([calls.versions(agentId, options), latest()]);
        return { ...page, items: page.items.map(version => toListed(version, agent)) };
      },
      retrieve: async id => {
        const [answer, agent] = await Promise.all([calls.retrieve(agentId, { version: Number(id) }), latest()]);
        const { version } = answer.data;
        if (typeof version === 'number' && String(version) !== id) {
          throw new Error(`The service returned version ${version} of this agent instead of version ${id}.`);
        }
        return { ...answer, data: toListed({ ...answer.data, version: Number(id) }, agent) };
      },
    };
  },
  name: version => `${agentName(version)} v${version.version ?? '?'}`,
  row: (version, { translate }) => ({
    label: translate('Version {0}', version.version ?? '?'),
    words: [version.isLatest ? translate('latest') : '', toLabel(modelOf(version), 60)],
    abilities: [
      ...['version', 'editable', 'comparable'],
      ...(version.isOfArchived ? [] : ['startable', ...(version.isLatest ? [] : ['restorable'])]),
    ],
  }),
  facts: factsOf,
  definition: { ...agentDefinition, isReadonly: true, read: ({ original }) => original },
  json: ({ original }) => original,
  // Opens the agent itself instead of its latest version, so that it can be edited.
  opens: ({ isLatest }, { parent }) => (isLatest ? parent : undefined),
  target: toAgentReference,
  absent: translate => translate('This service lists no versions'),
});

function factsOf(agent: Agent, { translate }: PresentationContext): readonly Fact[] {
  return [
    [translate('Version'), String(agent.version ?? '')],
    [translate('Model'), modelOf(agent)],
    [translate('Tools'), (agent.tools ?? []).map(({ type, name, mcp_server_name }) => name ?? mcp_server_name ?? type).join(', ')],
    [translate('Delegation'), describeDelegation(agent.multiagent, translate)],
    [translate('Description'), agent.description ?? ''],
  ];
}

function toListed(original: Agent, agent: Agent | undefined): AgentVersion {
  const isLatest = agent !== undefined && agent.version === original.version;
  return { ...original, id: String(original.version ?? 0), original, isLatest, isOfArchived: typeof agent?.archived_at === 'string' };
}

/** Returns the reference to an agent, or to one of its versions, as an argument of commands on agents and sessions. */
export function toAgentReference({ connection, id, parent }: Reference): AgentReference {
  return parent === undefined ? { connection, agentId: id } : { connection, agentId: parent.id, version: Number(id) };
}

/** Returns the name of an agent, or its ID if it has no name. */
export function agentName({ id, name }: Agent): string {
  return nameOrId(name, id);
}

/** Returns the ID of an agent's model, or '' if the service omits it. */
function modelOf({ model }: Agent): string {
  return typeof model === 'string' ? model : (model?.id ?? '');
}

/** Describes to which agents an agent can delegate. Returns '' if the agent can't delegate, and an unknown type verbatim. */
function describeDelegation(value: unknown, translate: Translate): string {
  if (!isRecord(value)) {
    return '';
  }
  const { type, agents } = value;
  if (type === 'coordinator' && Array.isArray(agents)) {
    return agents.length === 1 ? translate('1 agent') : translate('{0} agents', agents.length);
  }
  if (type !== 'multiagent_20261001') {
    return typeof type === 'string' ? toLabel(type, 60) : '';
  }
  const isOn = (part: unknown, usual: string) => ((isRecord(part) ? part.type : undefined) ?? usual) === 'enabled';
  return join(
    ', ',
    isOn(value.subagents, 'enabled') ? translate('sub-agents') : '',
    isOn(value.workflows, 'enabled') ? translate('workflow runs') : '',
    isOn(value.advisor, 'disabled') ? translate('advisor') : '',
  );
}
