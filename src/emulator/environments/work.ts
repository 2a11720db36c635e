import * as z from 'zod';
import { metadataPatchSchema } from '../agents/agentParams';
import { patched } from '../agents/agentState';
import type { EmulatorClock } from '../emulatorClock';
import { ApiError, invalidRequest } from '../http/apiError';
import { checkBody } from '../http/bodyCheck';
import { kindRoutes } from '../http/kindRoutes';
import { countOf } from '../http/listFilters';
import { type Route, routesBelow } from '../http/matchRoute';
import { toTime, toTimeOrNull } from '../http/wireTime';
import { randomId } from '../state/randomId';
import type { EnvironmentState } from './environmentState';

interface Item {
  readonly id: string;
  readonly environmentId: string;
  readonly sessionId: string;
  readonly createdAt: number;
  metadata: Readonly<Record<string, string>>;
  state: 'queued' | 'starting' | 'active' | 'stopping' | 'stopped';
  polledAt: number | null;
  acknowledgedAt: number | null;
  startedAt: number | null;
  heartbeatAt: number | null;
  stopRequestedAt: number | null;
  stoppedAt: number | null;
}

/**
 * Time in milliseconds until work that is not acknowledged is handed out again, and until a worker that stopped polling is no longer
 * counted.
 */
const reclaimedAfter = 5_000;
const pollingFor = 10_000;
const leaseSeconds = 60;

/** Work queues of self-hosted environments, in memory: empty after a restart (API facts, section 11). */
export class WorkState {
  readonly #items = new Map<string, Item>();
  readonly #polled = new Map<string, number>();
  readonly #clock: Pick<EmulatorClock, 'now'>;

  constructor(clock: Pick<EmulatorClock, 'now'>) {
    this.#clock = clock;
  }

  /** Adds a session to the queue of its environment. */
  add(environmentId: string, sessionId: string): void {
    const id = `work_${randomId(24)}`;
    const none = { polledAt: null, acknowledgedAt: null, startedAt: null, heartbeatAt: null, stopRequestedAt: null, stoppedAt: null };
    this.#items.set(id, { id, environmentId, sessionId, createdAt: this.#clock.now(), state: 'queued', metadata: {}, ...none });
  }

  /** Returns all items, newest first. */
  list(environmentId: string): readonly Item[] {
    return [...this.#items.values()].filter(item => item.environmentId === environmentId).reverse();
  }

  get(environmentId: string, id: string): Item {
    const item = this.#items.get(id);
    if (item === undefined || item.environmentId !== environmentId) {
      throw new ApiError('not_found_error', `Work not found: ${id}`);
    }
    return item;
  }

  stats(environmentId: string): object {
    const now = this.#clock.now();
    const queued = this.list(environmentId).filter(({ state }) => state === 'queued');
    const oldest = queued.at(-1);
    return {
      type: 'work_queue_stats',
      depth: queued.filter(item => !this.#isPending(item)).length,
      pending: queued.filter(item => this.#isPending(item)).length,
      oldest_queued_at: toTimeOrNull(oldest?.createdAt ?? null),
      workers_polling: now - (this.#polled.get(environmentId) ?? Number.NEGATIVE_INFINITY) < pollingFor ? 1 : 0,
    };
  }

  /** Returns the oldest item that no worker has, or null. */
  poll(environmentId: string): Item | null {
    this.#polled.set(environmentId, this.#clock.now());
    const item = this.list(environmentId).findLast(one => one.state === 'queued' && !this.#isPending(one));
    if (item !== undefined) {
      item.polledAt = this.#clock.now();
    }
    return item ?? null;
  }

  acknowledge(item: Item): Item {
    if (item.state === 'queued') {
      item.state = 'starting';
      item.acknowledgedAt = this.#clock.now();
    }
    return item;
  }

  /** Renews a worker's lease of an item. The previous heartbeat must be named; otherwise it is a 412. */
  heartbeat(item: Item, expected: string | null): object {
    const last = item.heartbeatAt === null ? 'NO_HEARTBEAT' : toTime(item.heartbeatAt);
    if (expected !== null && expected !== last) {
      throw new ApiError('invalid_request_error', 'expected_last_heartbeat does not match', { status: 412 });
    }
    const now = this.#clock.now();
    item.heartbeatAt = now;
    if (item.state === 'starting') {
      item.state = 'active';
      item.startedAt = now;
    }
    return { type: 'work_heartbeat', last_heartbeat: toTime(now), lease_extended: true, state: item.state, ttl_seconds: leaseSeconds };
  }

  /** Asks the worker of an item to end it. An item without a worker ends immediately, and any item with `force`. */
  stop(item: Item, force: boolean): Item {
    const now = this.#clock.now();
    item.stopRequestedAt ??= now;
    if (force || item.state === 'queued') {
      item.state = 'stopped';
      item.stoppedAt ??= now;
    } else if (item.state !== 'stopped') {
      item.state = 'stopping';
    }
    return item;
  }

  #isPending({ polledAt }: Item): boolean {
    return polledAt !== null && this.#clock.now() - polledAt < reclaimedAfter;
  }
}

/** Converts an item to its response form. Its secret is useless. */
function toWork(item: Item) {
  return {
    id: item.id,
    type: 'work',
    environment_id: item.environmentId,
    state: item.state,
    data: { type: 'session', id: item.sessionId },
    metadata: item.metadata,
    secret: `emulated-${item.id}`,
    created_at: toTime(item.createdAt),
    acknowledged_at: toTimeOrNull(item.acknowledgedAt),
    started_at: toTimeOrNull(item.startedAt),
    latest_heartbeat_at: toTimeOrNull(item.heartbeatAt),
    stop_requested_at: toTimeOrNull(item.stopRequestedAt),
    stopped_at: toTimeOrNull(item.stoppedAt),
  };
}

const stopSchema = z.object({ force: z.boolean().nullish() });
const updateSchema = z.object({ metadata: metadataPatchSchema });

interface WorkParts {
  readonly environments: EnvironmentState;
  readonly work: WorkState;
  readonly strict: boolean;
}

/** Returns the routes of an environment's work: for listing and stopping it, and for workers. */
export function workRoutes({ environments, work, strict }: WorkParts): readonly Route[] {
  const path = '/v1/environments/:id/work';
  const queueOf = (id: string) => {
    if (environments.get(id).config.type !== 'self_hosted') {
      throw invalidRequest('Environment is not self-hosted');
    }
    return id;
  };
  const route = routesBelow('environments.work', path, 'environments');
  const list = (_: URLSearchParams, parent: string) => work.list(queueOf(parent)).map(toWork);
  const retrieve = (id: string, _: URLSearchParams, parent: string) => toWork(work.get(queueOf(parent), id));
  const update = (id: string, body: unknown, parent: string) => {
    const item = work.get(queueOf(parent), id);
    item.metadata = patched(item.metadata, checkBody(updateSchema, body).metadata);
    return toWork(item);
  };
  return [
    // Before the routes of items, because these segments are no ids.
    route('GET', 'stats', '/stats', async (exchange, id) => exchange.sendJson(work.stats(queueOf(id)))),
    route('GET', 'poll', '/poll', async (exchange, id) => {
      countOf(exchange.query, 'block_ms');
      countOf(exchange.query, 'reclaim_older_than_ms');
      const item = work.poll(queueOf(id));
      await exchange.sendJson(item === null ? null : toWork(item));
    }),
    ...kindRoutes({ group: 'environments', name: 'environments.work', path, list, retrieve, update }, strict),
    route('POST', 'ack', '/:childId/ack', async (exchange, id, workId) =>
      exchange.sendJson(toWork(work.acknowledge(work.get(queueOf(id), workId)))),
    ),
    route('POST', 'heartbeat', '/:childId/heartbeat', async (exchange, id, workId) =>
      exchange.sendJson(work.heartbeat(work.get(queueOf(id), workId), exchange.query.get('expected_last_heartbeat'))),
    ),
    route('POST', 'stop', '/:childId/stop', async (exchange, id, workId) => {
      const item = work.get(queueOf(id), workId);
      const { force } = checkBody(stopSchema, await exchange.json(64 * 1024));
      await exchange.sendJson(toWork(work.stop(item, force ?? false)));
    }),
  ];
}
