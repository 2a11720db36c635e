import * as z from 'zod';
import type { CallOptions, ListOptions } from '../transport/callResult';
import { changeableFields, identity, optionalTexts } from '../transport/commonFields';
import { listAll } from '../transport/pagination';
import type { Transport } from '../transport/transport';
import { type ArchiveFilter, createCrud } from './crud';

/** Model of an agent and its speed and effort (contract, Agent snapshot; API facts, section 10). */
const modelConfigSchema = z.looseObject({
  id: z.string().min(1),
  ...optionalTexts('speed', 'inference_geo'),
  effort: z.unknown().optional(),
});

/**
 * One entry of an agent's `tools`: `agent_toolset_20260401`, `mcp_toolset` or `custom`. Any other `type` is accepted. The other fields
 * depend on `type`.
 */
const agentToolSchema = z.looseObject({
  type: z.string(),
  ...optionalTexts('name', 'description', 'mcp_server_name'),
});

const agentShape = {
  ...identity('agent'),
  version: z.number().nullish(),
  ...optionalTexts('name', 'description', 'system'),
  /** The service returns an object. Some services return only the model's id. */
  model: z.union([z.string(), modelConfigSchema]).nullish(),
  tools: z.array(agentToolSchema).nullish(),
  mcp_servers: z.array(z.looseObject({ type: z.string().nullish(), name: z.string().nullish(), url: z.string().nullish() })).nullish(),
  skills: z.array(z.looseObject({ type: z.string().nullish(), skill_id: z.string().nullish(), version: z.string().nullish() })).nullish(),
  multiagent: z.unknown().optional(),
};

/** Agent at the creation of a session (contract, Agent snapshot). Only `id` is required. */
export const agentSnapshotSchema = z.looseObject(agentShape);
export type AgentSnapshot = z.infer<typeof agentSnapshotSchema>;

/** One version of an agent (API facts, section 10). Only `id` is required. Unknown fields are preserved. */
export const agentSchema = z.looseObject({
  ...agentShape,
  ...changeableFields,
});
export type Agent = z.infer<typeof agentSchema>;

/**
 * Creates the calls for agents and their versions (API facts, section 10). An update publishes a new version. An update contains the
 * `version` that it is based on. If that version is no longer the latest, the service returns 409. Arrays are replaced as a whole, and
 * `null` clears a field. An archived agent can't be updated or start a session.
 */
export function createAgents(transport: Transport) {
  const { calls, below } = createCrud<typeof agentSchema, ArchiveFilter>(transport, {
    group: 'agents',
    type: 'agent',
    path: '/agents',
    schema: agentSchema,
    filters: { includeArchived: 'include_archived' },
    readFilters: { version: 'version' },
  });
  // A version is an agent object with the agent's id.
  const versions = (id: string) =>
    createCrud(transport, { group: 'agents', path: below(id, '/versions'), schema: agentSchema, within: { id } }).calls;
  const { delete: _, ...agents } = calls;
  return {
    ...agents,
    /** Returns the requested version, by default the latest. */
    retrieve: async (id: string, options?: CallOptions & { readonly version?: number }) => {
      const answer = await agents.retrieve(id, options);
      const { version, signal } = options ?? {};
      if (version === undefined || answer.data.version == null || answer.data.version === version) {
        return answer;
      }
      // Some services always return the latest version. Their list of versions contains the requested version.
      const bounds = { limit: 100, signal, keyOf: ({ version: listed }: Agent) => String(listed) };
      for await (const listed of listAll<Agent>(page => versions(id).list(page), bounds)) {
        if (listed.version === version) {
          return { ...answer, data: listed };
        }
      }
      return answer;
    },
    /** Lists the versions, newest first. */
    versions: async (id: string, options?: ListOptions) => versions(id).list(options),
  };
}
