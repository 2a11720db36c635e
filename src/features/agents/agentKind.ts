import { isNotServed } from '../../client/collections';
import { dialects, templateModel } from '../../client/dialect';
import type { Agent } from '../../client/schemas/agents';
import type { Model } from '../../client/schemas/models';
import type { ServiceClient } from '../../client/serviceClient';
import { ServiceError } from '../../client/transport/errors';
import { describeTime, type PresentationContext } from '../../common/text/presentation';
import type { Translate } from '../../common/text/translate';
import { isRecord } from '../../shared/isRecord';
import { toLabel } from '../../shared/text';
import { type Act, archivableCalls, type KindDefinition, type Need, type ResourceKind, toDefinition } from '../resources/definitions';
import { agentName, modelOf, presentAgent } from './agentPresentation';
import { agentTemplates } from './agentTemplates';

/** Asks for the model of a new agent if the service does not list the model of the templates. */
const modelNeed: Need = {
  question: translate => translate('Select a model'),
  none: translate => translate('Model ID'),
  choices: async ({ models }: ServiceClient, _, template) => {
    const items = await modelsOf(models);
    const wanted = isRecord(template.model) ? template.model.id : template.model;
    return items === undefined || items.some(({ id }) => id === wanted)
      ? undefined
      : items.map(({ id, display_name: name }) => ({
          label: toLabel(name ?? '', 80) || toLabel(id, 80),
          description: toLabel(id, 80),
          icon: 'chip',
          fields: { model: { id } },
        }));
  },
  typed: id => ({ model: { id } }),
};

/** Returns the models that a service lists: none if it has no list of models, `undefined` if the list could not be read now. */
async function modelsOf(models: ServiceClient['models']): Promise<readonly Model[] | undefined> {
  try {
    return (await models.list({ limit: 100 })).items;
  } catch (error) {
    return error instanceof ServiceError && isNotServed(error.status) ? [] : undefined;
  }
}

/** Documents of agents. Every service accepts an agent with a name and a model, and counts its versions (API facts, section 10). */
export const agentDefinition: KindDefinition<Agent> = {
  ending: 'agent',
  service: new Set(['id', 'type', 'version', 'created_at', 'updated_at', 'archived_at']),
  order: ['name', 'description', 'model', 'system', 'tools', 'mcp_servers', 'skills', 'multiagent', 'metadata'],
  required: ['name', 'model'],
  createDetail: translate => translate('Agents can be archived, but not deleted.'),
  sparesSessions: true,
  templates: (translate, dialect = dialects.contract) => agentTemplates(translate, templateModel(dialect)),
  needs: [modelNeed],
  read: agent => toDefinition(agent, agentDefinition),
  version: ({ version }) => version ?? undefined,
  problem: () => undefined,
};

/** Agents of the service. */
export const agentKind = {
  kind: 'agent',
  icon: 'hubot',
  hasArchived: true,
  title: translate => translate('Agents'),
  calls: ({ agents: calls }) => archivableCalls(calls),
  name: agentName,
  row: (agent, context) => presentAgent(agent, undefined, context),
  facts: (agent: Agent, context: PresentationContext) => {
    const { translate } = context;
    return [
      [translate('Version'), agent.version === undefined || agent.version === null ? '' : String(agent.version)],
      [translate('Model'), modelOf(agent)],
      [translate('Tools'), (agent.tools ?? []).map(({ type, name, mcp_server_name }) => name ?? mcp_server_name ?? type).join(', ')],
      [translate('Delegation'), describeDelegation(agent.multiagent, translate)],
      [translate('Updated'), describeTime(agent.updated_at, context)],
      [translate('Archived'), agent.archived_at ? describeTime(agent.archived_at, context) : ''],
      [translate('Description'), agent.description ?? ''],
    ];
  },
  definition: agentDefinition,
  get acts() {
    return { archive };
  },
} satisfies ResourceKind<Agent>;

/** Describes to whom an agent can delegate; '' if it can't, or in the service's word for a form that this version doesn't know. */
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
  return [
    isOn(value.subagents, 'enabled') ? translate('sub-agents') : '',
    isOn(value.workflows, 'enabled') ? translate('workflow runs') : '',
    isOn(value.advisor, 'disabled') ? translate('advisor') : '',
  ]
    .filter(word => word !== '')
    .join(', ');
}

/** Archives an agent. */
const archive: Act = {
  confirm: (name: string, translate: Translate) => ({
    title: translate('Archive "{0}"?', name),
    detail: translate("It takes no new versions and starts no more sessions. This can't be undone."),
    button: translate('Archive'),
  }),
  run: async ({ agents }, { id }) => (await agents.archive(id)).data,
};
