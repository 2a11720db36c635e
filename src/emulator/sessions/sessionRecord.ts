import * as z from 'zod';
import { isRecord } from '../../shared/isRecord';
import { definitionSchema } from '../agents/agents';
import type { ServerStyle } from '../http/serverStyle';
import { toTimeOrNull, toWire } from '../http/toWire';
import { archivableShape, randomId } from '../state/recordStore';

const countSchema = z.number().default(0);
const usageSchema = z.object({
  inputTokens: countSchema,
  outputTokens: countSchema,
  cacheReadTokens: countSchema,
  cacheWriteTokens: countSchema,
  webSearches: countSchema,
  /** List price of the usage, in thousandths of a cent. */
  cost: countSchema,
  activeMilliseconds: countSchema,
});
export type Usage = z.infer<typeof usageSchema>;

export const noUsage: Usage = usageSchema.parse({});

const agentSchema = z.looseObject({ type: z.literal('agent'), id: z.string(), version: z.number(), ...definitionSchema.shape });
/** Agent at the start of its session. */
export type AgentSnapshot = z.infer<typeof agentSchema>;

const statusSchema = z.enum(['idle', 'running', 'rescheduling', 'terminated']);
export type Status = z.infer<typeof statusSchema>;

const threadSchema = z.object({
  id: z.string(),
  parentId: z.string().nullable(),
  /** Workflow run that created the thread. */
  runId: z.string().optional(),
  agent: agentSchema,
  status: statusSchema,
  createdAt: z.number(),
  updatedAt: z.number(),
  archivedAt: z.number().nullable(),
  usage: usageSchema,
});
export type ThreadRecord = z.infer<typeof threadSchema>;

export function newThread(agent: AgentSnapshot, parentId: string | null, now: number, runId?: string): ThreadRecord {
  const id = `sthr_${randomId(24)}`;
  return {
    id,
    parentId,
    ...(runId === undefined ? {} : { runId }),
    agent,
    status: 'idle',
    createdAt: now,
    updatedAt: now,
    archivedAt: null,
    usage: { ...noUsage },
  };
}

const outcomeSchema = z.object({
  id: z.string(),
  description: z.string(),
  maxIterations: z.number(),
  result: z.string(),
  iteration: z.number(),
  completedAt: z.number().nullable(),
  explanation: z.string().nullable(),
});

/** Tool call that waits for an answer of the client. */
const openCallSchema = z.object({
  eventId: z.string(),
  threadId: z.string(),
  /** `permission` waits for a confirmation, the other values for a result. */
  waitsFor: z.enum(['permission', 'customResult', 'toolResult']),
  kind: z.enum(['builtin', 'mcp', 'custom']),
  name: z.string(),
  /** Id of the call in the event with its result. */
  resultOf: z.string(),
  /** Result of the tool if the call is allowed. */
  result: z.array(z.looseObject({ type: z.string() })),
  isError: z.boolean(),
});
export type OpenCall = z.infer<typeof openCallSchema>;

export const budgetSchema = z.object({
  type: z.literal('limit'),
  max_list_cost: z.object({ amount: z.string().regex(/^(?:0|[1-9]\d{0,11})$/), currency: z.literal('USD') }),
});
export type Budget = z.infer<typeof budgetSchema>;

const resourceSchema = z.looseObject({ type: z.string(), id: z.string(), created_at: z.string(), updated_at: z.string() });
export type ResourceRecord = z.infer<typeof resourceSchema>;

export const sessionRecordSchema = z.object({
  ...archivableShape,
  title: z.string().nullable(),
  environmentId: z.string(),
  /** Deployment that created the session. Null if a person did. */
  deploymentId: z.string().nullable().default(null),
  /** True if the client runs the built-in tools. */
  isSelfHosted: z.boolean(),
  agent: agentSchema,
  /** Agents that the session's agent can delegate to. */
  roster: z.array(agentSchema),
  resources: z.array(resourceSchema),
  vaultIds: z.array(z.string()),
  budget: budgetSchema.nullable(),
  status: statusSchema,
  usage: usageSchema,
  outcomes: z.array(outcomeSchema),
  /** Threads of the session, the primary thread first. */
  threads: z.array(threadSchema).min(1),
  openCalls: z.array(openCallSchema),
  /** Ids of the events that were sent but not processed yet. */
  queued: z.array(z.string()),
});
/** Session as the emulator stores it. Times are in milliseconds since 1970. */
export type SessionRecord = z.infer<typeof sessionRecordSchema>;

/** Converts a cost to an amount of the contract: whole cents, rounded up. */
export function toMoney(cost: number) {
  return { amount: String(Math.ceil(cost / 1000)), currency: 'USD' as const };
}

export function toUsage(usage: Usage) {
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    cache_creation: { ephemeral_5m_input_tokens: usage.cacheWriteTokens, ephemeral_1h_input_tokens: 0 },
    server_tool_use: { web_search_requests: usage.webSearches, web_fetch_requests: 0 },
    list_cost: toMoney(usage.cost),
    active_seconds: usage.activeMilliseconds / 1000,
  };
}

interface Shown {
  readonly now: number;
  readonly style: ServerStyle;
}

/** Converts a session to its response form with all fields (contract, Session). With `bareSessions`, some are left out. */
export function toSession(record: SessionRecord, { now, style }: Shown): object {
  const { id, status, createdAt, updatedAt, archivedAt, environmentId, deploymentId, title, metadata, vaultIds, budget, usage } = record;
  const { wholeSeconds } = style;
  const shown = { id, status, createdAt, updatedAt, archivedAt, environmentId, title, metadata, vaultIds };
  const parts = { agent: toSessionAgent(record), resources: record.resources.map(toWireResource) };
  if (style.bareSessions) {
    const outcomes = record.outcomes.map(outcome => ({
      type: 'outcome_evaluation',
      id: outcome.id,
      outcome_id: outcome.id,
      status: outcome.completedAt === null ? 'pending' : 'completed',
      max_iterations: outcome.maxIterations,
    }));
    return toWire('session', shown, { ...parts, usage: {}, stats: {}, outcome_evaluations: outcomes }, wholeSeconds);
  }
  const end = status === 'terminated' || archivedAt !== null ? updatedAt : now;
  const more = {
    ...parts,
    deployment_id: deploymentId,
    budget,
    usage: toUsage(usage),
    stats: { duration_seconds: (end - createdAt) / 1000, active_seconds: usage.activeMilliseconds / 1000 },
    outcome_evaluations: record.outcomes.map(outcome => ({
      type: 'outcome_evaluation',
      outcome_id: outcome.id,
      description: outcome.description,
      result: outcome.result,
      iteration: outcome.iteration,
      completed_at: toTimeOrNull(outcome.completedAt, wholeSeconds),
      explanation: outcome.explanation,
    })),
  };
  return toWire('session', shown, more, wholeSeconds);
}

/** Converts a resource to its response form. A mounted memory store has no id and no times (API facts, section 7). */
export function toWireResource(resource: ResourceRecord): object {
  if (resource.type !== 'memory_store') {
    return resource;
  }
  const { id: _, created_at: __, updated_at: ___, ...shown } = resource;
  return shown;
}

/** Returns the agent of a session without its metadata. The agents in its roster are included in full. */
export function toSessionAgent({ agent, roster }: Pick<SessionRecord, 'agent' | 'roster'>): object {
  const { metadata: _, ...shown } = agent;
  return { ...shown, multiagent: withAgents(agent.multiagent ?? null, roster) };
}

/** Replaces references to agents of the roster with these agents, at any depth. */
function withAgents(value: unknown, roster: SessionRecord['roster']): unknown {
  if (Array.isArray(value)) {
    return value.map(item => withAgents(item, roster));
  }
  if (!isRecord(value)) {
    return value;
  }
  const found = value.type === 'agent' ? roster.find(({ id, version }) => id === value.id && version === value.version) : undefined;
  return found === undefined
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withAgents(inner, roster)]))
    : toThreadAgent(found);
}

/** Returns the agent of a thread, which has no sub-agents. */
function toThreadAgent({ metadata: _, multiagent: __, ...shown }: AgentSnapshot) {
  return shown;
}

export function toThread(sessionId: string, thread: ThreadRecord, { now, style: { wholeSeconds } }: Shown) {
  const { agent, parentId, runId, usage, ...shown } = thread;
  const end = thread.archivedAt ?? (thread.status === 'running' ? now : thread.updatedAt);
  const more = {
    session_id: sessionId,
    agent: toThreadAgent(agent),
    parent_thread_id: parentId,
    ...(runId === undefined ? {} : { workflow_run_id: runId }),
    usage: toUsage(usage),
    stats: {
      duration_seconds: (end - thread.createdAt) / 1000,
      startup_seconds: 0,
      active_seconds: usage.activeMilliseconds / 1000,
    },
  };
  return toWire('session_thread', shown, more, wholeSeconds);
}
