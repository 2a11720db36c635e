import { type Agent, agentSchema } from '../schemas/agents';
import type { Agents } from '../serviceClient';
import { listAll } from '../transport/pagination';
import type { Transport } from '../transport/transport';
import { createCrud } from './crud';

/** Creates the calls for agents and their versions (API facts, section 10). */
export function createAgents(transport: Transport): Agents {
  const agents = createCrud(transport, {
    group: 'agents',
    type: 'agent',
    path: '/agents',
    schema: agentSchema,
    filters: { includeArchived: 'include_archived' },
    readFilters: { version: 'version' },
  });
  // A version is an agent object with the agent's id.
  const versions = (id: string) =>
    createCrud(transport, { group: 'agents', path: agents.below(id, '/versions'), schema: agentSchema, within: { id } });
  return {
    ...agents,
    retrieve: async (id, options) => {
      const answer = await agents.retrieve(id, options);
      const { version, signal } = options ?? {};
      if (version === undefined || answer.data.version == null || answer.data.version === version) {
        return answer;
      }
      // Some services always return the latest version. Their list contains the requested one.
      const bounds = { limit: 100, signal, keyOf: ({ version: listed }: Agent) => String(listed) };
      for await (const listed of listAll<Agent>(page => versions(id).list(page), bounds)) {
        if (listed.version === version) {
          return { ...answer, data: listed };
        }
      }
      return answer;
    },
    versions: async (id, options) => versions(id).list(options),
  };
}
