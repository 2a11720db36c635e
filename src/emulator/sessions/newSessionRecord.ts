import * as z from 'zod';
import type { Dialect } from '../../client/dialect';
import { isRecord } from '../../shared/isRecord';
import {
  agentOverridesSchema,
  checkTools,
  metadataPatchSchema,
  metadataSchema,
  serverListSchema,
  toModel,
  toolListSchema,
  toTool,
} from '../agents/agentParams';
import type { AgentState, WireAgent } from '../agents/agentState';
import type { EnvironmentState } from '../environments/environmentState';
import type { FileState } from '../files/fileRecords';
import { invalidRequest } from '../http/apiError';
import type { ServerStyle } from '../http/serverStyle';
import { randomId } from '../state/randomId';
import { type AgentSnapshot, budgetSchema, newThread, noUsage, type SessionRecord } from './sessionRecord';
import { addResources, type SessionReferences } from './sessionResources';

const agentSchema = z.union([
  z.string().min(1).max(128),
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('agent'), id: z.string().min(1).max(128), version: z.int().min(1).nullish() }),
    agentOverridesSchema.extend({
      type: z.literal('agent_with_overrides'),
      id: z.string().min(1).max(128),
      version: z.int().min(1).nullish(),
    }),
  ]),
]);

/** Body of a create, without `initial_events` and `resources`, which are parsed separately. */
export const createSessionSchema = z.object({
  agent: agentSchema,
  environment_id: z.string().min(1).max(128),
  title: z.string().max(500).nullish(),
  metadata: metadataSchema.optional(),
  vault_ids: z.array(z.string()).optional(),
  budget: budgetSchema.nullish(),
  resources: z.array(z.unknown()).max(500).optional(),
  initial_events: z.unknown().optional(),
});
export type CreateSessionParams = z.infer<typeof createSessionSchema>;

/** Body of an update (API facts, section 7). */
export const updateSessionSchema = z.object({
  title: z.string().min(1).max(500).nullish(),
  metadata: metadataPatchSchema.optional(),
  vault_ids: z.unknown().optional(),
  agent: z.object({ tools: toolListSchema.optional(), mcp_servers: serverListSchema.optional() }).optional(),
  budget: budgetSchema.nullish(),
});
export type UpdateSessionParams = z.infer<typeof updateSessionSchema>;

interface CreateParts {
  readonly agents: AgentState;
  readonly environments: EnvironmentState;
  readonly files: FileState;
  readonly dialect: Dialect;
  readonly references: SessionReferences;
  readonly style: () => ServerStyle;
  readonly now: number;
  readonly sequence: number;
}

/** Creates the record of a new session, idle, with its primary thread. Throws a 400 or 404 that names the problem. */
export function createSessionRecord(params: CreateSessionParams, parts: CreateParts): SessionRecord {
  const environment = parts.environments.get(params.environment_id);
  if (environment.archivedAt !== null) {
    throw invalidRequest('environment_id: the environment is archived');
  }
  const { budgets, takesOverrides } = parts.style();
  if (typeof params.agent === 'object' && params.agent.type === 'agent_with_overrides' && !takesOverrides) {
    throw invalidRequest('agent.type: agent_with_overrides is not supported');
  }
  if (params.budget && budgets === 'refused') {
    throw invalidRequest('budget: is not supported');
  }
  for (const [at, id] of (params.vault_ids ?? []).entries()) {
    parts.references.vault?.(id, `vault_ids.${at}`);
  }
  const agent = snapshotOf(params.agent, parts.agents);
  const { now } = parts;
  const record: SessionRecord = {
    id: `sesn_${randomId(24)}`,
    sequence: parts.sequence,
    title: params.title || null,
    metadata: params.metadata ?? {},
    environmentId: environment.id,
    deploymentId: null,
    isSelfHosted: environment.config.type === 'self_hosted',
    agent,
    roster: rosterOf(agent, parts.agents),
    resources: [],
    vaultIds: params.vault_ids ?? [],
    budget: budgets === 'kept' ? (params.budget ?? null) : null,
    status: 'idle',
    createdAt: now,
    updatedAt: now,
    archivedAt: null,
    usage: { ...noUsage },
    outcomes: [],
    threads: [newThread(agent, null, now)],
    openCalls: [],
    queued: [],
  };
  addResources(record, params.resources ?? [], parts);
  return record;
}

/** Returns the latest or the requested version of the agent, with the overrides of the session. */
function snapshotOf(given: CreateSessionParams['agent'], agents: AgentState): SessionRecord['agent'] {
  const reference = typeof given === 'string' ? given : ({ type: 'agent', id: given.id, version: given.version } as const);
  const agent = toSnapshot(agents.reference(reference, 'agent'));
  if (typeof given === 'string' || given.type === 'agent') {
    return agent;
  }
  const changed = {
    ...agent,
    ...(given.model === undefined ? {} : { model: toModel(given.model) }),
    ...(given.system === undefined ? {} : { system: given.system || null }),
    ...(given.tools === undefined ? {} : { tools: given.tools.map(toTool) }),
    ...(given.mcp_servers === undefined ? {} : { mcp_servers: given.mcp_servers }),
    ...(given.skills === undefined || given.skills === null ? {} : { skills: agents.toSkills(given.skills) }),
  };
  checkTools(changed.tools as Parameters<typeof checkTools>[0], changed.mcp_servers as Parameters<typeof checkTools>[1]);
  return changed;
}

/** Removes the fields that only the agent itself has: times and the metadata of its versions. */
function toSnapshot({ created_at: _, updated_at: __, archived_at: ___, ...agent }: WireAgent): SessionRecord['agent'] {
  return agent;
}

/** Returns the agents that an agent refers to, in either form of `multiagent`. */
function rosterOf({ multiagent }: SessionRecord['agent'], agents: AgentState): AgentSnapshot[] {
  const found = new Map<string, AgentSnapshot>();
  const find = (value: unknown): void => {
    if (isRecord(value) && value.type === 'agent' && typeof value.id === 'string' && typeof value.version === 'number') {
      found.set(`${value.id} ${value.version}`, toSnapshot(agents.version(value.id, value.version)));
    } else if (typeof value === 'object' && value !== null) {
      Object.values(value).forEach(find);
    }
  };
  find(multiagent);
  return [...found.values()];
}
