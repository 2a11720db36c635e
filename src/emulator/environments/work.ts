import * as z from 'zod';
import type { EmulatorClock } from '../emulatorClock';
import { ApiError, invalidRequest } from '../http/apiError';
import { kindRoutes } from '../http/kindRoutes';
import { countOf } from '../http/listFilters';
import { type Route, routesBelow } from '../http/matchRoute';
import { metadataPatchSchema, patched, toTime, toTimeOrNull, toWire } from '../http/toWire';
import { randomId } from '../state/randomId';
import type { Environments } from './environments';

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
  latestHeartbeatAt: number | null;
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

  add(environmentId: string, sessionId: string): void {
    const id = `work_${randomId(24)}`;
    const none = { polledAt: null, acknowledgedAt: null, startedAt: null, latestHeartbeatAt: null, stopRequestedAt: null, stoppedAt: null };
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

  /** Renews a worker's lease of an item. Throws a 412 if `expected` is not the previous heartbeat. */
  heartbeat(item: Item, expected: string | null): object {
    const last = item.latestHeartbeatAt === null ? 'NO_HEARTBEAT' : toTime(item.latestHeartbeatAt);
    if (expected !== null && expected !== last) {
      throw new ApiError('invalid_request_error', 'expected_last_heartbeat does not match', { status: 412 });
    }
    const now = this.#clock.now();
    item.latestHeartbeatAt = now;
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
function toWork({ sessionId, polledAt: _, ...item }: Item): object {
  return toWire('work', item, { data: { type: 'session', id: sessionId }, secret: `emulated-${item.id}` });
}

const stopSchema = z.object({ force: z.boolean().nullish() });
const updateSchema = z.object({ metadata: metadataPatchSchema });

/** Returns the routes of an environment's work: for listing and stopping it, and for workers. */
export function workRoutes(environments: Environments, work: WorkState): readonly Route[] {
  const name = 'environments.work';
  const path = '/v1/environments/:id/work';
  const queueOf = (id: string) => {
    if (environments.get(id).config.type !== 'self_hosted') {
      throw invalidRequest('Environment is not self-hosted');
    }
    return id;
  };
  const itemOf = (id: string, environmentId: string) => work.get(queueOf(environmentId), id);
  const route = routesBelow(name, path);
  return [
    // Listed before the routes of items, because these segments are not ids.
    route('GET', 'stats', '/stats', async (exchange, id) => exchange.sendJson(work.stats(queueOf(id)))),
    route('GET', 'poll', '/poll', async (exchange, id) => {
      countOf(exchange.query, 'block_ms');
      countOf(exchange.query, 'reclaim_older_than_ms');
      const item = work.poll(queueOf(id));
      await exchange.sendJson(item === null ? null : toWork(item));
    }),
    ...kindRoutes({
      name,
      path,
      type: 'work',
      members: { list: id => work.list(queueOf(id)), get: itemOf },
      show: toWork,
      update: async (exchange, id, environmentId) => {
        const item = itemOf(id, environmentId);
        item.metadata = patched(item.metadata, (await exchange.parsed(updateSchema)).metadata);
        return item;
      },
      acts: {
        ack: (_, id, environmentId) => toWork(work.acknowledge(itemOf(id, environmentId))),
        heartbeat: ({ query }, id, environmentId) => work.heartbeat(itemOf(id, environmentId), query.get('expected_last_heartbeat')),
        stop: async (exchange, id, environmentId) => {
          const item = itemOf(id, environmentId);
          const { force } = await exchange.parsed(stopSchema);
          return toWork(work.stop(item, force ?? false));
        },
      },
    }),
  ];
}
