import * as z from 'zod';
import type { EmulatorClock } from '../emulatorClock';
import { ApiError, invalidRequest } from '../http/apiError';
import { kindRoutes } from '../http/kindRoutes';
import { type Route, routesBelow } from '../http/matchRoute';
import { toTimeOrNull, toWire } from '../http/toWire';
import { randomId } from '../state/randomId';
import type { Environments } from './environments';

interface Item {
  readonly id: string;
  readonly environmentId: string;
  readonly sessionId: string;
  readonly createdAt: number;
  readonly metadata: Readonly<Record<string, string>>;
  state: 'queued' | 'stopped';
  readonly acknowledgedAt: null;
  readonly startedAt: null;
  readonly latestHeartbeatAt: null;
  stopRequestedAt: number | null;
  stoppedAt: number | null;
}

/**
 * Work queues of self-hosted environments, in memory: empty after a restart (API facts, section 11). The emulator serves no workers, so an
 * item waits until it is stopped.
 */
export class WorkState {
  readonly #items = new Map<string, Item>();
  readonly #clock: Pick<EmulatorClock, 'now'>;

  constructor(clock: Pick<EmulatorClock, 'now'>) {
    this.#clock = clock;
  }

  add(environmentId: string, sessionId: string): void {
    const id = `work_${randomId(24)}`;
    const none = { acknowledgedAt: null, startedAt: null, latestHeartbeatAt: null, stopRequestedAt: null, stoppedAt: null };
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
    const queued = this.list(environmentId).filter(({ state }) => state === 'queued');
    const oldest = toTimeOrNull(queued.at(-1)?.createdAt ?? null);
    return { type: 'work_queue_stats', depth: queued.length, pending: 0, oldest_queued_at: oldest, workers_polling: 0 };
  }

  stop(item: Item): Item {
    item.state = 'stopped';
    item.stopRequestedAt ??= this.#clock.now();
    item.stoppedAt ??= item.stopRequestedAt;
    return item;
  }
}

/** Converts an item to its response form. Its secret is useless. */
function toWork({ sessionId, ...item }: Item): object {
  return toWire('work', item, { data: { type: 'session', id: sessionId }, secret: `emulated-${item.id}` });
}

const stopSchema = z.object({ force: z.boolean().nullish() });

/** Returns the routes of an environment's work: for listing and stopping it. */
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
  return [
    // Listed before the routes of items, because this segment is not an id.
    routesBelow(name, path)('GET', 'stats', '/stats', async (exchange, id) => exchange.sendJson(work.stats(queueOf(id)))),
    ...kindRoutes({
      name,
      path,
      type: 'work',
      members: { list: id => work.list(queueOf(id)), get: itemOf },
      show: toWork,
      acts: {
        stop: async (exchange, id, environmentId) => {
          await exchange.parsed(stopSchema);
          return toWork(work.stop(itemOf(id, environmentId)));
        },
      },
    }),
  ];
}
