import * as z from 'zod';
import { invalidRequest } from '../http/apiError';
import { kindRoutes, type Route, routesBelow } from '../http/kindRoutes';
import { toTimeOrNull, toWire } from '../http/toWire';
import { recordShape, RecordStore, type StoreContext } from '../state/recordStore';
import type { Environments } from './environments';

const itemSchema = z.object({
  ...recordShape,
  environmentId: z.string(),
  sessionId: z.string(),
  metadata: z.record(z.string(), z.string()),
  state: z.enum(['queued', 'stopped']),
  acknowledgedAt: z.null(),
  startedAt: z.null(),
  latestHeartbeatAt: z.null(),
  stopRequestedAt: z.number().nullable(),
  stoppedAt: z.number().nullable(),
});
type Item = Readonly<z.infer<typeof itemSchema>>;

/**
 * Work queues of self-hosted environments (API facts, section 11). The emulator serves no workers, so an item waits until it is stopped.
 */
export class WorkItems extends RecordStore<Item> {
  constructor(context: StoreContext, environments: Environments) {
    const parent = { field: 'environmentId', store: environments } as const;
    super(context, { folder: 'work', noun: 'Work', prefix: 'work_', schema: itemSchema, parent });
  }

  create(environmentId: string, sessionId: string): void {
    const none = { acknowledgedAt: null, startedAt: null, latestHeartbeatAt: null, stopRequestedAt: null, stoppedAt: null };
    this.add({ environmentId, sessionId, metadata: {}, state: 'queued', ...none });
  }

  stats(environmentId: string): object {
    const queued = this.list(environmentId).filter(({ state }) => state === 'queued');
    const oldest = toTimeOrNull(queued.at(-1)?.createdAt ?? null);
    return { type: 'work_queue_stats', depth: queued.length, pending: 0, oldest_queued_at: oldest, workers_polling: 0 };
  }

  stop(item: Item): Item {
    const time = item.stoppedAt ?? this.context.clock.now();
    return this.put({ ...item, state: 'stopped', stopRequestedAt: time, stoppedAt: time });
  }
}

/** Converts an item to its response form. Its secret is a placeholder. */
function toWork({ sessionId, ...item }: Item): object {
  return toWire('work', item, { data: { type: 'session', id: sessionId }, secret: `emulated-${item.id}` });
}

const stopSchema = z.object({ force: z.boolean().nullish() });

/** Returns the routes of an environment's work: for listing and stopping it. */
export function workRoutes(environments: Environments, work: WorkItems): readonly Route[] {
  const name = 'environments.work';
  const path = '/v1/environments/:id/work';
  const queueOf = (id: string) => {
    if (environments.get(id).config.type !== 'self_hosted') {
      throw invalidRequest('Environment is not self-hosted');
    }
    return id;
  };
  const itemOf = (id: string, environmentId: string) => work.get(id, queueOf(environmentId));
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
