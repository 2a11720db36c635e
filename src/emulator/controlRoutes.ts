import { setImmediate as nextTurn } from 'node:timers/promises';
import * as z from 'zod';
import type { EmulatorClock } from './emulatorClock';
import { ApiError, checkBody, invalidRequest } from './http/apiError';
import type { Exchange, RequestLog } from './http/serverExchange';
import type { Resources } from './resources';
import type { ScenarioStore } from './scenarios';
import { stormEvents } from './sessions/scripts/oddityScripts';

const largestBody = 1024 * 1024;
const largestEvents = 64 * 1024 * 1024;
const stormPiece = 1000;

const advanceSchema = z.strictObject({ advance: z.number().min(0) });
const appendSchema = z.strictObject({ events: z.array(z.looseObject({ type: z.string() })), thread_id: z.string().optional() });
const stormSchema = z.strictObject({ count: z.int().min(1).max(1_000_000), thread_id: z.string().optional() });

interface ControlParts {
  readonly scenarios: ScenarioStore;
  readonly clock: EmulatorClock;
  readonly log: RequestLog;
  readonly resources: Resources;
}

/**
 * Handles requests below `/_emulator`, for tests and for people. These requests are not recorded and get no faults:
 *
 * | request                     | effect                                                                                               |
 * |-----------------------------|------------------------------------------------------------------------------------------------------|
 * | `GET`, `POST scenario`      | returns the scenario; changes parts of it                                                            |
 * | `GET`, `DELETE requests`    | returns the latest requests; deletes them                                                            |
 * | `GET`, `POST clock`         | returns the time; takes `{"advance": milliseconds}` and responds when all due work is done           |
 * | `GET streams`               | returns `{"open": n}`, the number of open event streams                                              |
 * | `DELETE streams`            | closes them                                                                                          |
 * | `GET webhooks`              | returns `{"attempts": [...]}`, the latest delivery attempts and their results                        |
 * | `POST sessions/{id}/events` | takes `{"events": [...], "thread_id"?}` and stores them unchanged, all at once                       |
 * | `POST sessions/{id}/storm`  | takes `{"count": n, "thread_id"?}` and stores that many events at once, without changing the session |
 */
export async function handleControl(exchange: Exchange, parts: ControlParts): Promise<void> {
  const { scenarios, clock, log, resources } = parts;
  const path = exchange.path.slice('/_emulator/'.length);
  const [, sessionId, action] = /^sessions\/([^/]+)\/(events|storm)$/.exec(path) ?? [];
  if (sessionId !== undefined && exchange.request.method === 'POST') {
    return exchange.sendJson(await (action === 'storm' ? storm : append)(exchange, resources, sessionId));
  }
  switch (`${exchange.request.method} ${path}`) {
    case 'GET scenario':
      return exchange.sendJson(scenarios.current);
    case 'POST scenario':
      scenarios.change(await exchange.json(largestBody));
      return exchange.sendJson(scenarios.current);
    case 'GET requests':
      return exchange.sendJson({ requests: log.requests });
    case 'DELETE requests':
      log.clear();
      return exchange.sendJson({ requests: [] });
    case 'GET clock':
      return exchange.sendJson({ now: new Date(clock.now()).toISOString() });
    case 'POST clock': {
      const parsed = advanceSchema.safeParse(await exchange.json(largestBody));
      if (!parsed.success) {
        throw invalidRequest('advance: must be a number of milliseconds, 0 or more');
      }
      await clock.advance(parsed.data.advance);
      return exchange.sendJson({ now: new Date(clock.now()).toISOString() });
    }
    case 'GET webhooks':
      return exchange.sendJson({ attempts: resources.webhooks.attempts });
    case 'DELETE streams':
      resources.cutStreams();
      return exchange.sendJson({ open: resources.openStreams.size });
    case 'GET streams':
      return exchange.sendJson({ open: resources.openStreams.size });
    default:
      throw new ApiError('not_found_error', 'Not found');
  }
}

async function append(exchange: Exchange, resources: Resources, sessionId: string): Promise<object> {
  const { events, thread_id: threadId } = checkBody(appendSchema, await exchange.json(largestEvents));
  return { data: await resources.appendEvents(sessionId, events, threadId) };
}

async function storm(exchange: Exchange, resources: Resources, sessionId: string): Promise<object> {
  const { count, thread_id: threadId } = checkBody(stormSchema, await exchange.json(largestBody));
  for (let created = 0; created < count; created += stormPiece) {
    await resources.appendEvents(sessionId, stormEvents(created, Math.min(stormPiece, count - created)), threadId);
    await nextTurn();
  }
  return { count };
}
