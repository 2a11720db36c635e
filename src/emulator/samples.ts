import type { CreateAgentParams } from './agents/agentParams';
import type { Agents } from './agents/agents';
import type { Environments } from './environments/environments';

type Sample = Omit<CreateAgentParams, 'model'>;

const shopkeeper: Sample = {
  name: 'Shopkeeper',
  description: 'Asks you for prices: a custom tool that you answer.',
  system: 'You keep a shop. Look up every price with get_price.',
  tools: [
    {
      type: 'custom',
      name: 'get_price',
      description: 'The price of an item, in euros.',
      input_schema: { type: 'object', properties: { item: { type: 'string', description: 'What to look up' } }, required: ['item'] },
    },
  ],
  metadata: { emulator_script: 'price' },
};

const coordinator: Sample = {
  name: 'Coordinator',
  description: 'Plans the work.',
  system: 'You plan.',
  tools: [{ type: 'agent_toolset_20260401' }],
};

const careful: Sample = {
  name: 'Careful Operator',
  description: 'Asks before it runs anything.',
  system: 'You operate machines, carefully.',
  tools: [{ type: 'agent_toolset_20260401', default_config: { permission_policy: { type: 'always_ask' } } }],
  metadata: { emulator_script: 'bash' },
};

const researcher: Sample = {
  name: 'Researcher',
  description: 'Reads, thinks and answers in steps.',
  system: 'You research thoroughly and answer in Markdown.',
  tools: [
    { type: 'agent_toolset_20260401' },
    { type: 'mcp_toolset', mcp_server_name: 'issues', default_config: { permission_policy: { type: 'always_allow' } } },
  ],
  mcp_servers: [{ type: 'url', name: 'issues', url: 'https://mcp.example.com/issues' }],
};

/**
 * Adds sample agents and an environment if there are none, so that a first session can be started immediately. The coordinator agent has
 * two versions, so that they can be compared.
 */
export function addSamples(agents: Agents, environments: Environments, modelPrefix: string): void {
  if (environments.isEmpty) {
    environments.create({ name: 'Default', description: 'Made by the emulator. Nothing runs in it.' });
  }
  if (!agents.isEmpty) {
    return;
  }
  const make = (sample: Sample) => agents.create({ model: `${modelPrefix}sonnet-5`, ...sample });
  make(shopkeeper);
  const { id } = make(coordinator);
  const roster = [make(careful), make(researcher)].reverse().map(agent => agent.id);
  const delegating = {
    description: 'Hands work to the Researcher and the Careful Operator.',
    system: 'You plan and delegate.',
    multiagent: { type: 'coordinator' as const, agents: roster },
    metadata: { emulator_script: 'delegate' },
  };
  agents.update(id, 1, delegating, 'conflict_error');
}
