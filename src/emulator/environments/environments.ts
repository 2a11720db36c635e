import * as z from 'zod';
import { invalidRequest } from '../http/apiError';
import { kindRoutes, type Route, routesBelow } from '../http/kindRoutes';
import { metadataPatchSchema, metadataSchema, patched, toTimeOrNull, toWire } from '../http/toWire';
import { archivableShape, RecordStore, recordShape, type StoreContext } from '../state/recordStore';

/** Returns a schema that replaces a null or absent value by `value`. */
function withDefault<S extends z.ZodType>(schema: S, value: z.output<S>) {
  return schema.nullish().transform(given => given ?? value);
}

const networkSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('unrestricted') }),
  z.object({
    type: z.literal('limited'),
    allow_mcp_servers: withDefault(z.boolean(), false),
    allow_package_managers: withDefault(z.boolean(), false),
    allowed_hosts: withDefault(z.array(z.string().min(1)), []),
  }),
]);
const managers = ['apt', 'cargo', 'gem', 'go', 'npm', 'pip'] as const;
const packagesSchema = z.object(Object.fromEntries(managers.map(name => [name, withDefault(z.array(z.string()), [])])));

const configSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('cloud'),
    networking: withDefault(networkSchema, { type: 'unrestricted' }),
    packages: withDefault(packagesSchema, packagesSchema.parse({})).transform(packages => ({ type: 'packages', ...packages })),
  }),
  z.object({ type: z.literal('self_hosted') }),
]);

const createEnvironmentSchema = z.object({
  name: z.string().min(1).max(256),
  config: configSchema.nullish(),
  description: z.string().max(1024).nullish(),
  scope: z.enum(['organization', 'account']).nullish(),
  metadata: metadataSchema.optional(),
});
const updateEnvironmentSchema = createEnvironmentSchema.extend({
  name: createEnvironmentSchema.shape.name.nullish(),
  metadata: metadataPatchSchema.optional(),
});

const recordSchema = z.object({
  ...archivableShape,
  name: z.string(),
  description: z.string().nullable(),
  config: z.looseObject({ type: z.string() }),
  scope: z.string(),
});
type EnvironmentRecord = Readonly<z.infer<typeof recordSchema>>;

/** Environments that sessions run in (API facts, section 11). The emulator runs no code in them. */
export class Environments extends RecordStore<EnvironmentRecord> {
  constructor(context: StoreContext) {
    super(context, { folder: 'environments', noun: 'Environment', prefix: 'env_', schema: recordSchema });
  }

  create({ name, description, config, scope, metadata = {} }: z.infer<typeof createEnvironmentSchema>): EnvironmentRecord {
    return this.add({
      name,
      description: description || null,
      config: config ?? configSchema.parse({ type: 'cloud' }),
      scope: scope ?? 'organization',
      metadata,
    });
  }

  update(id: string, { name, description, config, scope, metadata }: z.infer<typeof updateEnvironmentSchema>): EnvironmentRecord {
    const old = this.active(id, 'updated');
    return this.change(old, {
      name: name ?? undefined,
      description: description === undefined ? undefined : description || null,
      config: config ?? undefined,
      scope: scope ?? undefined,
      metadata: patched(old.metadata, metadata),
    });
  }
}

/**
 * Returns the routes of `/v1/environments` (API facts, section 11). `isUsed` returns whether a session that is not archived runs in an
 * environment.
 */
export function environmentRoutes(environments: Environments, isUsed: (id: string) => boolean): readonly Route[] {
  return kindRoutes({
    name: 'environments',
    path: '/v1/environments',
    type: 'environment',
    members: environments,
    filters: ['include_archived'],
    // As observed: an absent description is empty, although the shape allows null.
    show: record => toWire('environment', record, { description: record.description ?? '' }),
    create: async exchange => environments.create(await exchange.parsed(createEnvironmentSchema)),
    update: async (exchange, id) => environments.update(id, await exchange.parsed(updateEnvironmentSchema)),
    acts: {
      delete: async (_, id) => {
        environments.get(id);
        if (isUsed(id)) {
          throw invalidRequest('Environment has active work');
        }
        await environments.delete(id);
        return { id, type: 'environment_deleted' };
      },
    },
  });
}

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

/** Work queues of self-hosted environments (API facts, section 11). The emulator has no workers: items wait until a client stops them. */
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
