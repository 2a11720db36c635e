import * as z from 'zod';
import { toTool } from '../agents/agentParams';
import { invalidRequest } from '../http/apiError';
import { kindRoutes, type Route, routesBelow } from '../http/kindRoutes';
import {
  choiceOf,
  countOf,
  createdFilter,
  createdNames,
  limitOf,
  readCursor,
  refuseUnknownNames,
  toCursorText,
  valuesOf,
} from '../http/listQuery';
import type { Exchange } from '../http/serverExchange';
import { patched } from '../http/toWire';
import type { Scenario } from '../scenarios';
import { EventConnection } from './eventConnection';
import type { EventLog } from './eventLog';
import { readInitialEvents, readSentEvents } from './sentEvents';
import { type SessionRecord, toSession, toSessionAgent, toThread, toWireResource } from './sessionRecord';
import { addResource, rotateToken } from './sessionResources';
import type { LiveSession } from './sessions';
import { createSessionSchema, type SessionStart, startSession, type UpdateSessionParams, updateSessionSchema } from './startSession';
import { partOf } from './storedSession';

const largestBody = 32 * 1024 * 1024;
const previewable: ReadonlySet<string> = new Set(['agent.message', 'agent.thinking']);
const limits = { normal: 1000, most: 1000 };

interface EventRouteParts extends SessionStart {
  readonly scenario: () => Scenario;
  readonly openStreams: Set<EventConnection>;
}

function eventRoutes(parts: EventRouteParts): readonly Route[] {
  const { sessions } = parts;
  const route = routesBelow('sessions.events', '/v1/sessions/:id/events');
  return [
    route('GET', 'list', '', (exchange, id) => sendPage(exchange, parts, id)),
    route('POST', 'send', '', async (exchange, id) => {
      const session = await sessions.live(id);
      const sent = readSentEvents(await exchange.json(largestBody), parts.dialect.name === 'contract');
      await exchange.sendJson({ data: session.send(sent) });
    }),
    route('GET', 'stream', '/stream', (exchange, id) => stream(exchange, parts, id)),
  ];
}

function threadRoutes(parts: EventRouteParts): readonly Route[] {
  const { sessions, clock, style } = parts;
  const path = '/v1/sessions/:id/threads';
  const route = routesBelow('sessions.threads', path);
  return [
    ...kindRoutes({
      name: 'sessions.threads',
      path,
      type: 'session_thread',
      members: {
        list: id => sessions.get(id).threads,
        get: (threadId, id) => partOf(sessions.get(id).threads, threadId, 'Thread'),
        archive: async (threadId, id) => (await sessions.live(id)).archiveThread(threadId),
      },
      limits,
      show: (thread, _, __, id) => toThread(id, thread, { now: clock.now(), style: style() }),
    }),
    route('GET', 'events', '/:childId/events', (exchange, id, threadId) => sendPage(exchange, parts, id, threadId)),
    route('GET', 'stream', '/:childId/stream', (exchange, id, threadId) => stream(exchange, parts, id, threadId)),
  ];
}

function resourceRoutes(parts: EventRouteParts): readonly Route[] {
  const { sessions, clock, style } = parts;
  const resourceOf = (resourceId: string, id: string) => partOf(sessions.get(id).resources, resourceId, 'Session resource');
  return kindRoutes({
    name: 'sessions.resources',
    path: '/v1/sessions/:id/resources',
    type: 'session_resource',
    members: {
      list: id => sessions.get(id).resources,
      get: resourceOf,
      delete: async (resourceId, id) => (await sessions.live(id)).removeResource(resourceId),
    },
    limits,
    show: (resource, _, isAlone) => (isAlone ? resource : toWireResource(resource)),
    create: async (exchange, id) => {
      const session = await sessions.live(id);
      const added = addResource(session.record, await exchange.json(largestBody), { ...parts, ...style() });
      session.changed();
      return added;
    },
    update: async (exchange, resourceId, id) => {
      const session = await sessions.live(id);
      const updated = rotateToken(resourceOf(resourceId, id), await exchange.json(largestBody), clock.now());
      session.changed();
      return updated;
    },
  });
}

async function sendPage(exchange: Exchange, { sessions, dialect, style }: EventRouteParts, id: string, threadId?: string): Promise<void> {
  const log = (await sessions.live(id)).log(threadId);
  if (dialect.name === 'contract') {
    refuseUnknownNames(exchange.query, eventFilterNames);
  }
  const text = eventPage(log, exchange.query, style().newestEventsFirst);
  await exchange.send(200, { 'content-type': 'application/json' }, Buffer.from(text));
}

const eventLimits = { normal: 100, most: 1000 };
const cursorSchema = z.object({ at: z.int().min(0), order: z.enum(['asc', 'desc']) });

const eventFilterNames = ['order', 'types', ...createdNames];

/**
 * Returns one page of a log as JSON text, without parsing the events again. Without filters, the cost does not depend on the length of the
 * log. Throws a 400 for an invalid filter and for a cursor of the other order.
 */
function eventPage(log: EventLog, query: URLSearchParams, newestFirst: boolean): string {
  const order = choiceOf(query, 'order', ['asc', 'desc'] as const) ?? (newestFirst ? 'desc' : 'asc');
  const limit = limitOf(query, eventLimits);
  const types = valuesOf(query, 'types');
  const isCreated = createdFilter(query);
  const step = order === 'asc' ? 1 : -1;
  const found: string[] = [];
  let next: number | undefined;
  const page = query.get('page');
  const start = page === null ? (order === 'asc' ? 0 : log.length - 1) : readCursor(page, order, cursorSchema).at;
  for (let at = start, event = log.at(at); event !== undefined; at += step, event = log.at(at)) {
    if ((types === undefined || types.includes(event.type)) && isCreated(event.createdAt)) {
      if (found.length === limit) {
        next = at;
        break;
      }
      found.push(event.json);
    }
  }
  const cursor = next === undefined ? null : toCursorText({ at: next, order });
  return `{"data":[${found.join(',')}],"next_page":${JSON.stringify(cursor)}}`;
}

async function stream(exchange: Exchange, parts: EventRouteParts, id: string, threadId?: string): Promise<void> {
  const log = (await parts.sessions.live(id)).log(threadId);
  const previews = valuesOf(exchange.query, 'event_deltas') ?? [];
  if (previews.length > 100 || previews.some(type => !previewable.has(type))) {
    throw invalidRequest('event_deltas: must be agent.message or agent.thinking');
  }
  const connection = new EventConnection(exchange, log, new Set(previews), parts);
  parts.openStreams.add(connection);
  try {
    await exchange.sendStream({ 'content-type': 'text/event-stream', 'cache-control': 'no-cache' }, connection.open());
  } finally {
    parts.openStreams.delete(connection);
  }
}

const largestSession = 8 * 1024 * 1024;
const statuses: readonly string[] = ['idle', 'running', 'rescheduling', 'terminated'];

export function sessionRoutes(parts: EventRouteParts): readonly Route[] {
  const { sessions, clock, style, dialect } = parts;
  const own = kindRoutes({
    name: 'sessions',
    path: '/v1/sessions',
    type: 'session',
    members: sessions,
    show: record => toSession(record, { now: clock.now(), style: style() }),
    isOrdered: true,
    filters: ['agent_id', 'agent_version', 'statuses', 'include_archived', 'memory_store_id', 'deployment_id', ...createdNames],
    passes: sessionFilter,
    create: async exchange => {
      const params = await exchange.parsed(createSessionSchema, largestSession);
      return startSession(params, readInitialEvents(params.initial_events, dialect.name === 'contract'), parts);
    },
    update: async (exchange, id) => {
      const session = await sessions.live(id);
      update(session, await exchange.parsed(updateSessionSchema, largestSession));
      return session.record;
    },
  });
  return [...own, ...eventRoutes(parts), ...threadRoutes(parts), ...resourceRoutes(parts)];
}

function sessionFilter({ query, faults }: Exchange): (record: SessionRecord) => boolean {
  const filterFault = faults.content.get('noStatusFilter');
  if (filterFault !== undefined && query.has('statuses[]')) {
    if (filterFault.status !== 200) {
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
  const { title, metadata, agent, budget } = params;
  const changed = {
    ...(title === undefined ? {} : { title }),
    ...(metadata === undefined ? {} : { metadata: patched(record.metadata, metadata) }),
    ...(agent === undefined ? {} : { agent: changedAgent(record.agent, agent) }),
    ...(budget === undefined ? {} : { budget }),
  };
  if (Object.keys(changed).length > 0) {
    Object.assign(record, changed);
    session.primary.agent = record.agent;
    session.changed();
    session.emit(session.primary, 'session.updated', agent === undefined ? changed : { ...changed, agent: toSessionAgent(record) });
  }
}

function changedAgent(
  old: SessionRecord['agent'],
  { tools, mcp_servers: servers }: NonNullable<UpdateSessionParams['agent']>,
): SessionRecord['agent'] {
  return { ...old, tools: tools?.map(toTool) ?? old.tools, mcp_servers: servers ?? old.mcp_servers };
}

/** Checks a change of the budget: raised, lowered to more than was spent, or removed, but not added later (API facts, section 7). */
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
