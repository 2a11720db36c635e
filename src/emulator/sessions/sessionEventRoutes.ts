import { invalidRequest } from '../http/apiError';
import { limitOf, refuseUnknownNames, valuesOf } from '../http/listFilters';
import { type Route, routesBelow } from '../http/matchRoute';
import { cursorPage } from '../http/paging';
import type { Exchange } from '../http/serverExchange';
import type { Scenario } from '../scenarios';
import { EventConnection } from './eventConnection';
import type { EventLog } from './eventLog';
import { eventFilterNames, eventPage } from './eventPage';
import { readSentEvents } from './sentEvents';
import { toThread, toWireResource } from './sessionRecord';
import { addResource, rotateToken } from './sessionResources';
import type { SessionRouteParts } from './sessionRoutes';
import { StreamFaults } from './streamFaults';

const largestBody = 32 * 1024 * 1024;
const previewable: ReadonlySet<string> = new Set(['agent.message', 'agent.thinking']);

interface EventRouteParts extends SessionRouteParts {
  readonly scenario: () => Scenario;
  readonly openStreams: Set<EventConnection>;
}

/** Returns the routes of a session's events, threads and resources (API facts, sections 7 to 9). */
export function sessionEventRoutes(parts: EventRouteParts): readonly Route[] {
  return [...eventRoutes(parts), ...threadRoutes(parts), ...resourceRoutes(parts)];
}

function eventRoutes(parts: EventRouteParts): readonly Route[] {
  const { sessions } = parts;
  const path = '/v1/sessions/:id/events';
  const route = routesBelow('sessions.events', path, 'sessions');
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
  const route = routesBelow('sessions.threads', path, 'sessions');
  const how = () => ({ now: clock.now(), style: style() });
  return [
    route('GET', 'list', '', async (exchange, id) => {
      const { threads } = sessions.get(id);
      const shown = threads.map(thread => toThread(id, thread, how()));
      await exchange.sendJson(cursorPage(shown, exchange.query, { limit: limitOf(exchange.query, { normal: 1000, most: 1000 }) }));
    }),
    route('GET', 'retrieve', '/:thread', async (exchange, id, threadId) => {
      const thread = (await sessions.live(id)).thread(threadId);
      await exchange.sendJson(toThread(id, thread, how()));
    }),
    route('POST', 'archive', '/:thread/archive', async (exchange, id, threadId) => {
      const session = await sessions.live(id);
      const thread = session.archiveThread(threadId);
      await exchange.sendJson(toThread(id, thread, how()));
    }),
    route('GET', 'events', '/:thread/events', async (exchange, id, threadId) =>
      sendPage(exchange, (await sessions.live(id)).log(threadId), parts),
    ),
    route('GET', 'stream', '/:thread/stream', async (exchange, id, threadId) =>
      stream(exchange, (await sessions.live(id)).log(threadId), parts),
    ),
  ];
}

function resourceRoutes(parts: EventRouteParts): readonly Route[] {
  const { sessions, clock, style } = parts;
  const path = '/v1/sessions/:id/resources';
  const route = routesBelow('sessions.resources', path, 'sessions');
  return [
    route('GET', 'list', '', async (exchange, id) => {
      const { resources } = sessions.get(id);
      const limit = limitOf(exchange.query, { normal: 1000, most: 1000 });
      const page = cursorPage(resources, exchange.query, { limit }) as { readonly data: typeof resources };
      await exchange.sendJson({ ...page, data: page.data.map(toWireResource) });
    }),
    route('POST', 'add', '', async (exchange, id) => {
      const session = await sessions.live(id);
      const added = addResource(session.record, await exchange.json(largestBody), { ...parts, ...style(), now: clock.now() });
      session.changed();
      await exchange.sendJson(added);
    }),
    route('GET', 'retrieve', '/:resource', async (exchange, id, resourceId) =>
      exchange.sendJson((await sessions.live(id)).resource(resourceId)),
    ),
    route('POST', 'update', '/:resource', async (exchange, id, resourceId) => {
      const session = await sessions.live(id);
      const body = await exchange.json(largestBody);
      const updated = rotateToken(session.resource(resourceId), body, clock.now());
      session.changed();
      await exchange.sendJson(updated);
    }),
    route('DELETE', 'delete', '/:resource', async (exchange, id, resourceId) => {
      (await sessions.live(id)).removeResource(resourceId);
      await exchange.sendJson({ id: resourceId, type: 'session_resource_deleted' });
    }),
  ];
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
