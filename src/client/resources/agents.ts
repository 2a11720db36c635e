import { agentSchema } from '../schemas/agents';
import type { Agents } from '../serviceClient';
import type { Transport } from '../transport/transport';
import { createCrud } from './crud';

/** Agents and their versions over a transport (API facts, section 10). */
export function createAgents(transport: Transport): Agents {
  const agents = createCrud(transport, {
    group: 'agents',
    type: 'agent',
    path: '/agents',
    schema: agentSchema,
    filters: { includeArchived: 'include_archived' },
    readFilters: { version: 'version' },
  });
  const { create, list, retrieve, update, archive } = agents;
  // Each version is the agent, with its id.
  const versions = (id: string) =>
    createCrud(transport, { group: 'agents', path: agents.below(id, '/versions'), schema: agentSchema, within: { id } });
  return { create, list, retrieve, update, archive, versions: async (id, options) => versions(id).list(options) };
}
