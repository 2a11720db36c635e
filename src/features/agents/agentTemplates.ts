import type { Translate } from '../../common/text/translate';
import type { Template } from '../resources/definitions';

/** Returns the templates of a new agent. `model` is the ID of its model. */
export function agentTemplates(translate: Translate, model: string): readonly Template[] {
  const builtIn = (policy: string) => ({
    type: 'agent_toolset_20260401',
    default_config: { enabled: true, permission_policy: { type: policy } },
  });
  return [
    {
      label: translate('Assistant'),
      description: translate('Answers, with no tools'),
      definition: { name: 'Assistant', description: '', model: { id: model }, system: 'You are a helpful assistant. Be brief and exact.' },
    },
    {
      label: translate('Careful Operator'),
      description: translate('Built-in tools; asks you before each call'),
      definition: {
        name: 'Careful Operator',
        description: 'Works in a sandbox and asks before every tool call',
        model: { id: model },
        system: 'You work in a sandbox. Say in one sentence what you are about to do before you call a tool.',
        tools: [builtIn('always_ask')],
      },
    },
    {
      label: translate('Researcher'),
      description: translate('Reads files and the web freely; asks before it writes or runs anything'),
      definition: {
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
      },
    },
    {
      label: translate('Custom Tool'),
      description: translate('Calls a tool whose results you give in the session panel'),
      definition: {
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
      },
    },
    {
      label: translate('MCP Server'),
      description: translate('Tools of an MCP server; asks you before each call'),
      definition: {
        name: 'Connected Agent',
        description: 'Works with the tools of an MCP server',
        model: { id: model },
        system: 'You work with the tools you are given.',
        mcp_servers: [{ type: 'url', name: 'example', url: 'https://mcp.example.com' }],
        tools: [{ type: 'mcp_toolset', mcp_server_name: 'example' }],
      },
    },
  ];
}
