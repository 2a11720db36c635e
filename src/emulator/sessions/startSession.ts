import * as z from 'zod';
import type { Dialect } from '../../client/dialect';
import { isRecord } from '../../shared/isRecord';
import { agentOverridesSchema, agentReferenceSchema, serverListSchema, toolListSchema } from '../agents/agentParams';
import type { Agents, WireAgent } from '../agents/agents';
import type { EmulatorClock } from '../emulatorClock';
import type { Environments, WorkItems } from '../environments/environments';
import type { Files } from '../files/files';
import { invalidRequest } from '../http/apiError';
import type { ServerStyle } from '../http/serverStyle';
import { metadataPatchSchema, metadataSchema } from '../http/toWire';
import type { MemoryStores } from '../memories/memories';
import type { Vaults } from '../vaults/vaults';
import type { SentEvent } from './sentEvents';
import { type AgentSnapshot, budgetSchema, newThread, noUsage, type SessionRecord } from './sessionRecord';
import { toResources } from './sessionResources';
import type { Sessions } from './sessions';

const agentSchema = z.union([
  z.string().min(1).max(128),
  z.discriminatedUnion('type', [
    agentReferenceSchema,
    agentReferenceSchema.extend({ ...agentOverridesSchema.shape, type: z.literal('agent_with_overrides') }),
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

/** State and settings that a new session needs. */
export interface SessionStart {
  readonly sessions: Sessions;
  readonly agents: Agents;
  readonly environments: Environments;
  readonly files: Files;
  readonly memories: MemoryStores;
  readonly vaults: Vaults;
  readonly style: () => ServerStyle;
  readonly work: WorkItems;
  readonly clock: EmulatorClock;
  readonly dialect: Dialect;
}

/** Creates a session, which processes its initial events immediately. Throws a 400 or 404 that names the problem. */
export async function startSession(
  params: CreateSessionParams,
  events: readonly SentEvent[],
  parts: SessionStart,
  deploymentId: string | null = null,
): Promise<SessionRecord> {
  const environment = parts.environments.demandUsable(params.environment_id, 'environment_id');
  const { budgets, takesOverrides } = parts.style();
  if (typeof params.agent === 'object' && params.agent.type === 'agent_with_overrides' && !takesOverrides) {
    throw invalidRequest('agent.type: agent_with_overrides is not supported');
  }
  if (params.budget && budgets === 'refused') {
    throw invalidRequest('budget: is not supported');
  }
  for (const [at, id] of (params.vault_ids ?? []).entries()) {
    parts.vaults.demandUsable(id, `vault_ids.${at}`);
  }
  const agent = snapshotOf(params.agent, parts.agents);
  const session = parts.sessions.start({
    title: params.title || null,
    metadata: params.metadata ?? {},
    environmentId: environment.id,
    deploymentId,
    isSelfHosted: environment.config.type === 'self_hosted',
    agent,
    roster: rosterOf(agent, parts.agents),
    resources: toResources(params.resources ?? [], parts),
    vaultIds: params.vault_ids ?? [],
    budget: budgets === 'kept' ? (params.budget ?? null) : null,
    status: 'idle',
    usage: { ...noUsage },
    outcomes: [],
    threads: [newThread(agent, null, parts.clock.now())],
    openCalls: [],
    queued: [],
  });
  const { record } = session;
  if (record.isSelfHosted) {
    parts.work.create(record.environmentId, record.id);
  }
  if (events.length > 0) {
    session.send(events);
    // The session runs immediately, and the response has to show that (API facts, section 7).
    await null;
  }
  return record;
}

/** Returns the latest or the requested version of the agent, with the overrides of the session. */
function snapshotOf(given: CreateSessionParams['agent'], agents: Agents): SessionRecord['agent'] {
  const reference = typeof given === 'string' ? given : ({ type: 'agent', id: given.id, version: given.version } as const);
  const agent = agents.reference(reference, 'agent');
  if (typeof given === 'string' || given.type === 'agent') {
    return toSnapshot(agent);
  }
  return toSnapshot({ ...agent, ...agents.changed(agent, { ...given, skills: given.skills ?? undefined }, agent) });
}

/** Removes the fields that only the agent itself has: times and the metadata of its versions. */
function toSnapshot({ created_at: _, updated_at: __, archived_at: ___, ...agent }: WireAgent): SessionRecord['agent'] {
  return agent;
}

/** Returns the agents in the roster of an agent, for both forms of `multiagent`. */
function rosterOf({ multiagent }: SessionRecord['agent'], agents: Agents): AgentSnapshot[] {
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
