import * as z from 'zod';
import { metadataSchema } from './metadata';

const hostsSchema = z.array(z.string());

/** What a sandbox of the service may reach and what is installed in it. `limited` networking names the hosts; any other type is kept. */
export const environmentConfigSchema = z.looseObject({
  /** `cloud` or `self_hosted`; any other is kept. It never changes. */
  type: z.string().nullish(),
  networking: z
    .looseObject({
      type: z.string().nullish(),
      allowed_hosts: hostsSchema.nullish(),
      allow_mcp_servers: z.boolean().nullish(),
      allow_package_managers: z.boolean().nullish(),
    })
    .nullish(),
  /** By package manager; `type` stands among them. */
  packages: z.record(z.string(), z.unknown()).nullish(),
});

/** A sandbox environment that sessions run in (API facts, section 11). Only `id` is demanded. */
export const environmentSchema = z.looseObject({
  id: z.string().min(1),
  type: z.string().default('environment'),
  name: z.string().nullish(),
  description: z.string().nullish(),
  config: environmentConfigSchema.nullish(),
  scope: z.string().nullish(),
  metadata: metadataSchema.nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  archived_at: z.string().nullish(),
});
export type Environment = z.infer<typeof environmentSchema>;

/** A piece of work that waits for, or is with, a machine of the user's (API facts, section 11). Its secret is left out. Only `id` is demanded. */
export const workItemSchema = z
  .looseObject({
    id: z.string().min(1),
    type: z.string().default('work'),
    environment_id: z.string().nullish(),
    /** `queued`, `starting`, `active`, `stopping` or `stopped`; any other is kept. */
    state: z.string().nullish(),
    /** What is to be worked on: by itself a session. */
    data: z.looseObject({ type: z.string().nullish(), id: z.string().nullish() }).nullish(),
    metadata: metadataSchema.nullish(),
    created_at: z.string().nullish(),
    acknowledged_at: z.string().nullish(),
    started_at: z.string().nullish(),
    latest_heartbeat_at: z.string().nullish(),
    stop_requested_at: z.string().nullish(),
    stopped_at: z.string().nullish(),
  })
  // What lets a worker act for the session is for no one to see.
  .transform(({ secret: _, ...item }) => item);
export type WorkItem = z.infer<typeof workItemSchema>;

/** How the queue of an environment stands: how many wait, since when, and who comes for them. */
export const workQueueStatsSchema = z.looseObject({
  type: z.string().default('work_queue_stats'),
  /** Items that nobody has taken. */
  depth: z.number().nullish(),
  /** Items that were taken and not acknowledged. */
  pending: z.number().nullish(),
  oldest_queued_at: z.string().nullish(),
  /** Workers that ask for work now; null where the service does not count them. */
  workers_polling: z.number().nullish(),
});
export type WorkQueueStats = z.infer<typeof workQueueStatsSchema>;
