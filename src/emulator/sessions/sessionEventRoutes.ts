import { invalidRequest } from '../http/apiError';
import { kindRoutes } from '../http/kindRoutes';
import { refuseUnknownNames, valuesOf } from '../http/listFilters';
import { type Route, routesBelow } from '../http/matchRoute';
import type { Exchange } from '../http/serverExchange';
import type { Scenario } from '../scenarios';
import { EventConnection } from './eventConnection';
import type { EventLog } from './eventLog';
import { eventFilterNames, eventPage } from './eventPage';
import { readSentEvents } from './sentEvents';
import { toThread, toWireResource } from './sessionRecord';
import { addResource, rotateToken } from './sessionResources';
import type { SessionStart } from './startSession';
import { partOf } from './storedSession';
import { StreamFaults } from './streamFaults';

const largestBody = 32 * 1024 * 1024;
const previewable: ReadonlySet<string> = new Set(['agent.message', 'agent.thinking']);
const limits = { normal: 1000, most: 1000 };

interface EventRouteParts extends SessionStart {
  readonly scenario: () => Scenario;
  readonly openStreams: Set<EventConnection>;
}

/** Returns the routes of a session's events, threads and resources (API facts, sections 7 to 9). */
export function sessionEventRoutes(parts: EventRouteParts): readonly Route[] {
  return [...eventRoutes(parts), ...threadRoutes(parts), ...resourceRoutes(parts)];
}

function eventRoutes(parts: EventRouteParts): readonly Route[] {
  const { sessions } = parts;
  const route = routesBelow('sessions.events', '/v1/sessions/:id/events');
  return [
    route('GET', 'list', '', async (exchange, id) => sendPage(exchange, (await sessions.live(id)).log(), parts)),
    route('POST', 'send', '', async (exchange, id) => {
      const session = await sessions.live(id);
      const sent = readSentEvents(await exchange.json(largestBody), parts.dialect.name === 'contract');
      await exchange.sendJson({ data: session.send(sent) });
    }),
    route('GET', 'stream', '/stream', async (exchange, id) => stream(exchange, (await sessions.live(id)).log(), parts)),
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
    route('GET', 'events', '/:childId/events', async (exchange, id, threadId) =>
      sendPage(exchange, (await sessions.live(id)).log(threadId), parts),
    ),
    route('GET', 'stream', '/:childId/stream', async (exchange, id, threadId) =>
      stream(exchange, (await sessions.live(id)).log(threadId), parts),
    ),
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

async function sendPage(exchange: Exchange, log: EventLog, { dialect, style }: EventRouteParts): Promise<void> {
  if (dialect.name === 'contract') {
    refuseUnknownNames(exchange.query, eventFilterNames);
  }
  const text = eventPage(log, exchange.query, style().newestEventsFirst);
  await exchange.send(200, { 'content-type': 'application/json' }, Buffer.from(text));
}

async function stream(exchange: Exchange, log: EventLog, { clock, style, scenario, openStreams }: EventRouteParts): Promise<void> {
  const previews = valuesOf(exchange.query, 'event_deltas') ?? [];
  if (previews.length > 100 || previews.some(type => !previewable.has(type))) {
    throw invalidRequest('event_deltas: must be agent.message or agent.thinking');
  }
  const { namedPings, endsDeletedStreams } = style();
  const { keepaliveSeconds, streamBacklog } = scenario();
  const { transport } = exchange.faults;
  const connection = new EventConnection({
    log,
    clock,
    signal: exchange.signal,
    previews: new Set(previews),
    keepalive: keepaliveSeconds * 1000,
    namedPings,
    backlog: streamBacklog,
    onTooSlow: () => exchange.request.socket.destroy(),
    endsWithLog: endsDeletedStreams,
    faults: new StreamFaults(exchange.faults),
    lifetime: transport?.name === 'cutStream' && transport.seconds !== undefined ? transport.seconds * 1000 : undefined,
  });
  openStreams.add(connection);
  try {
    await exchange.sendStream({ 'content-type': 'text/event-stream', 'cache-control': 'no-cache' }, connection.open());
  } finally {
    openStreams.delete(connection);
  }
}
