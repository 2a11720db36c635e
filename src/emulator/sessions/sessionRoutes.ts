import { toTool } from '../agents/agentParams';
import { invalidRequest } from '../http/apiError';
import { kindRoutes } from '../http/kindRoutes';
import { countOf, createdNames, valuesOf } from '../http/listFilters';
import type { Route } from '../http/matchRoute';
import { patched } from '../http/metadata';
import type { Exchange } from '../http/serverExchange';
import type { LiveSession } from './runningSession';
import { readInitialEvents } from './sentEvents';
import { type SessionRecord, toSession, toSessionAgent } from './sessionRecord';
import { createSessionSchema, type SessionStart, startSession, type UpdateSessionParams, updateSessionSchema } from './startSession';

const largestBody = 8 * 1024 * 1024;
const statuses: readonly string[] = ['idle', 'running', 'rescheduling', 'terminated'];

/** Returns the routes of `/v1/sessions` and `/v1/sessions/{id}` (API facts, section 7). */
export function sessionRoutes(parts: SessionStart): readonly Route[] {
  const { sessions, clock, style, dialect } = parts;
  return kindRoutes({
    name: 'sessions',
    path: '/v1/sessions',
    type: 'session',
    members: sessions,
    show: record => toSession(record, { now: clock.now(), style: style() }),
    isOrdered: true,
    filters: ['agent_id', 'agent_version', 'statuses', 'include_archived', 'memory_store_id', 'deployment_id', ...createdNames],
    passes: sessionFilter,
    create: async exchange => {
      const params = await exchange.parsed(createSessionSchema, largestBody);
      return startSession(params, readInitialEvents(params.initial_events, dialect.name === 'contract'), parts);
    },
    update: async (exchange, id) => {
      const session = await sessions.live(id);
      update(session, await exchange.parsed(updateSessionSchema, largestBody));
      return session.record;
    },
  });
}

function sessionFilter({ query, faults }: Exchange): (record: SessionRecord) => boolean {
  const lacking = faults.content.get('noStatusFilter');
  if (lacking !== undefined && query.has('statuses[]')) {
    if (lacking.status !== 200) {
      throw invalidRequest('statuses[]: unknown filter');
    }
    query.delete('statuses[]');
  }
  const agentId = query.get('agent_id');
  const agentVersion = countOf(query, 'agent_version');
  if (agentVersion !== undefined && agentId === null) {
    throw invalidRequest('agent_version: only together with agent_id');
  }
  const wanted = valuesOf(query, 'statuses');
  if (wanted?.some(status => !statuses.includes(status))) {
    throw invalidRequest('statuses must contain valid session statuses');
  }
  const store = query.get('memory_store_id');
  const deploymentId = query.get('deployment_id');
  return record =>
    (agentId === null || record.agent.id === agentId) &&
    (agentVersion === undefined || record.agent.version === agentVersion) &&
    (wanted === undefined || wanted.includes(record.status)) &&
    (store === null || record.resources.some(resource => resource.memory_store_id === store)) &&
    (deploymentId === null || record.deploymentId === deploymentId);
}

/** Changes a session and stores an event about it. Throws a 400 for fields that can't be changed now. */
function update(session: LiveSession, params: UpdateSessionParams): void {
  const { record } = session;
  if (record.archivedAt !== null) {
    throw invalidRequest('archived sessions cannot be updated');
  }
  if (params.vault_ids !== undefined) {
    throw invalidRequest('vault_ids: cannot be changed after creation');
  }
  if (params.agent !== undefined && record.status !== 'idle') {
    throw invalidRequest('agent: can be changed only while the session is idle');
  }
  checkBudget(record, params.budget);
  const changed: Record<string, unknown> = {};
  if (params.title !== undefined) {
    record.title = params.title;
    changed.title = params.title;
  }
  if (params.metadata !== undefined) {
    record.metadata = patched(record.metadata, params.metadata);
    changed.metadata = record.metadata;
  }
  if (params.agent !== undefined) {
    const { tools, mcp_servers: servers } = params.agent;
    const agent = {
      ...record.agent,
      ...(tools === undefined ? {} : { tools: tools.map(toTool) }),
      ...(servers === undefined ? {} : { mcp_servers: servers }),
    };
    record.agent = agent;
    session.primary.agent = agent;
    changed.agent = toSessionAgent(record);
  }
  if (params.budget !== undefined) {
    record.budget = params.budget;
    changed.budget = params.budget;
  }
  if (Object.keys(changed).length > 0) {
    session.changed();
    session.emit(session.primary, 'session.updated', changed);
  }
}

/** Checks a budget, which can be raised, lowered to more than was spent, or removed, but never added later (API facts, section 7). */
function checkBudget(record: SessionRecord, budget: UpdateSessionParams['budget']): void {
  if (budget === undefined || budget === null) {
    return;
  }
  if (record.budget === null) {
    throw invalidRequest('budget: can be set only when the session is created');
  }
  if (Number(budget.max_list_cost.amount) * 1000 <= record.usage.cost) {
    throw invalidRequest('budget.max_list_cost: must be more than what is spent already');
  }
}
