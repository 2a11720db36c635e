import * as z from 'zod';
import type { CallOptions } from '../transport/callResult';
import { changeableFields, identity, metadataSchema, optionalTexts } from '../transport/commonFields';
import type { Transport } from '../transport/transport';
import { type ArchiveFilter, createCrud } from './crud';
import { callForObject } from './resource';

const hostsSchema = z.array(z.string());

/** Network access and installed packages of a sandbox. `limited` networking lists the hosts. Any other type is accepted. */
const environmentConfigSchema = z.looseObject({
  /** `cloud`, `self_hosted` or any other string. Never changes. */
  type: z.string().nullish(),
  networking: z
    .looseObject({
      type: z.string().nullish(),
      allowed_hosts: hostsSchema.nullish(),
      allow_mcp_servers: z.boolean().nullish(),
      allow_package_managers: z.boolean().nullish(),
    })
    .nullish(),
  /** Packages by package manager. Also has the key `type`. */
  packages: z.record(z.string(), z.unknown()).nullish(),
});

/** Sandbox environment that sessions run in (API facts, section 11). Only `id` is required. */
const environmentSchema = z.looseObject({
  ...identity('environment'),
  ...optionalTexts('name', 'description', 'scope'),
  config: environmentConfigSchema.nullish(),
  ...changeableFields,
});
export type Environment = z.infer<typeof environmentSchema>;

/**
 * Work item in the queue of a self-hosted environment, waiting or taken by a worker (API facts, section 11). Its secret is left out. Only
 * `id` is required.
 */
const workItemSchema = z
  .looseObject({
    ...identity('work'),
    ...optionalTexts(
      'environment_id',
      'created_at',
      'acknowledged_at',
      'started_at',
      'latest_heartbeat_at',
      'stop_requested_at',
      'stopped_at',
    ),
    /** `queued`, `starting`, `active`, `stopping`, `stopped` or any other string. */
    state: z.string().nullish(),
    /** Subject of the work: normally a session. */
    data: z.looseObject({ type: z.string().nullish(), id: z.string().nullish() }).nullish(),
    metadata: metadataSchema.nullish(),
  })
  // The secret lets a worker act for the session, so it must not be visible to anyone else.
  .transform(({ secret: _, ...item }) => item);
export type WorkItem = z.infer<typeof workItemSchema>;

/** State of an environment's work queue: number and age of waiting items, and number of workers. */
const workQueueStatsSchema = z.looseObject({
  type: z.string().default('work_queue_stats'),
  /** Number of items that no worker has taken. */
  depth: z.number().nullish(),
  /** Number of items that were taken but not acknowledged. */
  pending: z.number().nullish(),
  oldest_queued_at: z.string().nullish(),
  /** Number of workers that poll for work. Null if the service does not count them. */
  workers_polling: z.number().nullish(),
});
export type WorkQueueStats = z.infer<typeof workQueueStatsSchema>;

/**
 * Creates the calls for environments (API facts, section 11). An update replaces the given fields. The service does not detect concurrent
 * updates.
 */
export function createEnvironments(transport: Transport) {
  const { calls, below } = createCrud<typeof environmentSchema, ArchiveFilter>(transport, {
    group: 'environments',
    path: '/environments',
    type: 'environment',
    schema: environmentSchema,
    filters: { includeArchived: 'include_archived' },
  });
  return {
    ...calls,
    /** Returns the work queue of a self-hosted environment. Has no call to poll for work, because only workers do that. */
    work: (id: string) => {
      const path = below(id, '/work');
      const within = { environment_id: id };
      const work = createCrud(transport, { group: 'environments', path, schema: workItemSchema, type: 'work', within });
      return {
        list: work.calls.list,
        retrieve: work.calls.retrieve,
        stats: async (options?: CallOptions) =>
          callForObject(transport, workQueueStatsSchema, {
            method: 'GET',
            group: 'environments',
            path: `${path}/stats`,
            about: { type: 'work_queue_stats', within },
            signal: options?.signal,
          }),
        /** Asks the worker to end an item. With `force`, the item counts as ended immediately. */
        stop: async (workId: string, options?: CallOptions & { readonly force?: boolean }) =>
          work.act(workId, 'stop', { force: options?.force ?? false }, options),
      };
    },
  };
}
