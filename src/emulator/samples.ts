import type { CreateAgentParams } from './agents/agentParams';
import type { AgentState } from './agents/agentState';
import type { EnvironmentState } from './environmentState';

/** Agents and an environment to begin with, made when there are none: a first session can be started at once. */
export function addSamples(agents: AgentState, environments: EnvironmentState, modelPrefix: string): void {
  if (environments.isEmpty) {
    environments.create({ name: 'Default', description: 'Made by the emulator. Nothing runs in it.' });
  }
  if (!agents.isEmpty) {
    return;
  }
  const make = (agent: Omit<CreateAgentParams, 'model'>) => agents.create({ model: `${modelPrefix}sonnet-5`, ...agent });
  const shopkeeper: Omit<CreateAgentParams, 'model'> = {
    name: 'Shopkeeper',
    description: 'Asks you for prices: a custom tool that your side answers.',
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
  make(shopkeeper);
  const careful = make({
    name: 'Careful Operator',
    description: 'Asks before it runs anything.',
    system: 'You operate machines, carefully.',
    tools: [{ type: 'agent_toolset_20260401', default_config: { permission_policy: { type: 'always_ask' } } }],
    metadata: { emulator_script: 'bash' },
  });
  const researcher = make({
    name: 'Researcher',
    description: 'Reads, thinks and answers in steps.',
    system: 'You research thoroughly and answer in Markdown.',
    tools: [
      { type: 'agent_toolset_20260401' },
      { type: 'mcp_toolset', mcp_server_name: 'issues', default_config: { permission_policy: { type: 'always_allow' } } },
    ],
    mcp_servers: [{ type: 'url', name: 'issues', url: 'https://mcp.example.com/issues' }],
  });
  make({
    name: 'Coordinator',
    description: 'Hands work to the Researcher and the Careful Operator.',
    system: 'You plan and delegate.',
    tools: [{ type: 'agent_toolset_20260401' }],
    multiagent: { type: 'coordinator', agents: [researcher.id, careful.id] },
    metadata: { emulator_script: 'delegate' },
  });
}
