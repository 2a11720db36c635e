import { dialects, isNotServed, templateModel } from '../../../client/dialect';
import type { Agent } from '../../../client/resources/agents';
import type { Model } from '../../../client/resources/models';
import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import type { Translate } from '../../../common/text/translate';
import { isRecord } from '../../../shared/isRecord';
import { toLabel } from '../../../shared/text';
import type { KindDefinition, Need, Template } from '../resourceKind';
import { template } from './defineKind';

/** Asks for the model of a new agent if the service does not list the model of the templates. */
const modelNeed: Need = {
  question: translate => translate('Select a model'),
  none: translate => translate('Model ID'),
  choices: async ({ models }: ServiceClient, _, definition) => {
    const items = await modelsOf(models);
    const wanted = isRecord(definition.model) ? definition.model.id : definition.model;
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

/** Returns the models that a service lists. Empty if the service has no list of models. `undefined` if the list could not be read now. */
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
  service: ['version'],
  order: ['name', 'description', 'model', 'system', 'tools', 'mcp_servers', 'skills', 'multiagent', 'metadata'],
  required: ['name', 'model'],
  createDetail: translate => translate('Agents can be archived, but not deleted.'),
  sparesSessions: true,
  templates: (translate, dialect = dialects.contract) => agentTemplates(translate, templateModel(dialect)),
  needs: [modelNeed],
  version: ({ version }) => version ?? undefined,
};

/** Returns the templates of a new agent. `model` is the ID of its model. */
export function agentTemplates(translate: Translate, model: string): readonly Template[] {
  const builtIn = (policy: string) => ({
    type: 'agent_toolset_20260401',
    default_config: { enabled: true, permission_policy: { type: policy } },
  });
  return [
    template(translate('Assistant'), translate('Answers questions, without tools'), {
      name: 'Assistant',
      description: '',
      model: { id: model },
      system: 'You are a helpful assistant. Be brief and exact.',
    }),
    template(translate('Careful Operator'), translate('Built-in tools; asks you before each call'), {
      name: 'Careful Operator',
      description: 'Works in a sandbox and asks before every tool call',
      model: { id: model },
      system: 'You work in a sandbox. Say in one sentence what you are about to do before you call a tool.',
      tools: [builtIn('always_ask')],
    }),
    template(translate('Researcher'), translate('Reads files and the web freely; asks before it writes or runs anything'), {
      name: 'Researcher',
      description: 'Finds out and reports, with sources',
      model: { id: model },
      system: 'You find things out. Read before you conclude, and name the source of every claim.',
      tools: [
        {
          ...builtIn('always_ask'),
          configs: ['read', 'glob', 'grep', 'web_fetch', 'web_search'].map(name => ({
            name,
            enabled: true,
            permission_policy: { type: 'always_allow' },
          })),
        },
      ],
    }),
    template(translate('Custom Tool'), translate('Calls a tool whose results you provide in the session panel'), {
      name: 'Shopkeeper',
      description: 'Answers questions about prices',
      model: { id: model },
      system: 'You answer questions about prices. Look every price up with get_price.',
      tools: [
        {
          type: 'custom',
          name: 'get_price',
          description: 'Price of one article in euros. Call it once per article.',
          input_schema: { type: 'object', properties: { article: { type: 'string' } }, required: ['article'] },
        },
      ],
    }),
    template(translate('MCP Server'), translate('Tools of an MCP server; asks you before each call'), {
      name: 'Connected Agent',
      description: 'Works with the tools of an MCP server',
      model: { id: model },
      system: 'You work with the tools you are given.',
      mcp_servers: [{ type: 'url', name: 'example', url: 'https://mcp.example.com' }],
      tools: [{ type: 'mcp_toolset', mcp_server_name: 'example' }],
    }),
  ];
}
