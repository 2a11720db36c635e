import { toTool } from '../agents/agentParams';
import { patched } from '../agents/agentState';
import type { Fault } from '../faults';
import { invalidRequest } from '../http/apiError';
import { checkBody } from '../http/bodyCheck';
import { choiceOf, countOf, createdFilter, createdNames, flagOf, limitOf, refuseUnknownNames, valuesOf } from '../http/listFilters';
import { type Route, routesBelow } from '../http/matchRoute';
import { cursorPage } from '../http/paging';
import type { Exchange } from '../http/serverExchange';
import type { ServerStyle } from '../http/serverStyle';
import { createSessionSchema, type UpdateSessionParams, updateSessionSchema } from './newSessionRecord';
import type { LiveSession } from './runningSession';
import { readInitialEvents } from './sentEvents';
import { type SessionRecord, toSession, toSessionAgent } from './sessionRecord';
import { type SessionStart, startSession } from './startSession';

const largestBody = 8 * 1024 * 1024;
const statuses = ['idle', 'running', 'rescheduling', 'terminated'] as const;

export interface SessionRouteParts extends SessionStart {
  readonly style: () => ServerStyle;
}

/** Returns the routes of `/v1/sessions` and `/v1/sessions/{id}` (API facts, section 7). */
export function sessionRoutes(parts: SessionRouteParts): readonly Route[] {
  const { sessions } = parts;
  const path = '/v1/sessions';
  const route = routesBelow('sessions', path, 'sessions');
  const shown = (record: SessionRecord) => toSession(record, { now: parts.clock.now(), style: parts.style() });
  return [
    route('POST', 'create', '', async exchange => exchange.sendJson(shown(await create(exchange, parts)))),
    route('GET', 'list', '', async exchange => {
      const { query } = exchange;
      const lacking = exchange.faults.content.get('noStatusFilter');
      if (lacking !== undefined && query.has('statuses[]')) {
        leaveOutStatuses(query, lacking);
      }
      const { order, found } = filtered(sessions.list(), query, parts.dialect.name === 'contract');
      const limit = limitOf(query, { normal: 20, most: 1000 });
      const page = cursorPage(found, query, { limit, order, backwards: true }) as { readonly data: readonly SessionRecord[] };
      await exchange.sendJson({ ...page, data: page.data.map(shown) });
    }),
    route('GET', 'retrieve', '/:id', async (exchange, id) => exchange.sendJson(shown(sessions.get(id)))),
    route('POST', 'update', '/:id', async (exchange, id) => {
      const session = await sessions.live(id);
      update(session, checkBody(updateSessionSchema, await exchange.json(largestBody)));
      await exchange.sendJson(shown(session.record));
    }),
    route('POST', 'archive', '/:id/archive', async (exchange, id) => exchange.sendJson(shown(await sessions.archive(id)))),
    route('DELETE', 'delete', '/:id', async (exchange, id) => {
      await sessions.delete(id);
      await exchange.sendJson({ id, type: 'session_deleted' });
    }),
  ];
}

async function create(exchange: Exchange, parts: SessionRouteParts): Promise<SessionRecord> {
  const params = checkBody(createSessionSchema, await exchange.json(largestBody));
  const events = readInitialEvents(params.initial_events, parts.dialect.name === 'contract');
  return await startSession(params, events, parts);
}

/** Handles the status filter like a service that does not have it. */
function leaveOutStatuses(query: URLSearchParams, { status }: Fault): void {
  if (status !== 200) {
    throw invalidRequest('statuses[]: unknown filter');
  }
  query.delete('statuses[]');
}

function filtered(all: readonly SessionRecord[], query: URLSearchParams, strict: boolean) {
  if (strict) {
    const names = ['agent_id', 'agent_version', 'statuses', 'include_archived', 'order', 'memory_store_id', 'deployment_id'];
    refuseUnknownNames(query, [...names, ...createdNames]);
  }
  const order = choiceOf(query, 'order', ['asc', 'desc']) ?? 'desc';
  const agentId = query.get('agent_id');
  const agentVersion = countOf(query, 'agent_version');
  if (agentVersion !== undefined && agentId === null) {
    throw invalidRequest('agent_version: only together with agent_id');
  }
  const wanted = valuesOf(query, 'statuses');
  if (wanted?.some(status => !statuses.some(known => known === status))) {
    throw invalidRequest('statuses must contain valid session statuses');
  }
  const withArchived = flagOf(query, 'include_archived');
  const isCreated = createdFilter(query);
  const store = query.get('memory_store_id');
  const deploymentId = query.get('deployment_id');
  const found = all.filter(
    record =>
      (withArchived || record.archivedAt === null) &&
      (agentId === null || record.agent.id === agentId) &&
      (agentVersion === undefined || record.agent.version === agentVersion) &&
      (wanted === undefined || wanted.includes(record.status)) &&
      (store === null || record.resources.some(resource => resource.memory_store_id === store)) &&
      (deploymentId === null || record.deploymentId === deploymentId) &&
      isCreated(record.createdAt),
  );
  return { order, found: order === 'asc' ? found.reverse() : found };
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
