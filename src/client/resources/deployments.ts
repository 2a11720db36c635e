import * as z from 'zod';
import type { CallOptions } from '../transport/callResult';
import { identity, metadataSchema, optionalTexts, timeFields } from '../transport/commonFields';
import type { Transport } from '../transport/transport';
import { type ArchiveFilter, createCrud } from './crud';
import { callForObject } from './resource';
import { budgetSchema, tokensIn } from './sessions';

/** Schedule of a deployment: five POSIX cron fields in an IANA time zone, and the resulting times (API facts, section 14). */
export const scheduleSchema = z.looseObject({
  /** `cron`, or any other string. */
  type: z.string().nullish(),
  ...optionalTexts('expression', 'timezone', 'last_run_at'),
  /** Next scheduled times, at most five. Each session starts shortly after its scheduled time. */
  upcoming_runs_at: z.array(z.string()).nullish(),
});
export type Schedule = z.infer<typeof scheduleSchema>;

const agentReferenceSchema = z.looseObject({ type: z.string().nullish(), id: z.string().nullish(), version: z.number().nullish() });

/** Reason why a service paused a deployment or could not create a session. `type` can be any string. */
const errorSchema = z.looseObject({ type: z.string().nullish(), message: z.string().nullish() });

/** Template from which sessions are created repeatedly (API facts, section 14). Only `id` is required. */
export const deploymentSchema = z.looseObject({
  ...identity('deployment'),
  ...optionalTexts('name', 'description', 'environment_id'),
  agent: agentReferenceSchema.nullish(),
  vault_ids: z.array(z.string()).nullish(),
  initial_events: z.array(z.looseObject({ type: z.string().nullish() })).nullish(),
  resources: z.array(z.looseObject({ type: z.string().nullish() })).nullish(),
  metadata: metadataSchema.nullish(),
  schedule: scheduleSchema.nullish(),
  /** `active`, `paused` or any other string. An archived deployment can still be `active`. */
  status: z.string().nullish(),
  /** `manual`, or `error` with the reason. */
  paused_reason: z.looseObject({ type: z.string().nullish(), error: errorSchema.nullish() }).nullish(),
  budget: budgetSchema.nullish(),
  ...timeFields,
});
export type Deployment = z.infer<typeof deploymentSchema>;

/**
 * Result of creating one session from a deployment: the session or the error (API facts, section 14). Does not say how the session ends.
 * Only `id` is required.
 */
const deploymentRunSchema = z.looseObject({
  ...identity('deployment_run'),
  ...optionalTexts('deployment_id', 'session_id', 'created_at'),
  /** `schedule` with the scheduled time, or `manual`. */
  trigger_context: z.looseObject({ type: z.string().nullish(), scheduled_at: z.string().nullish() }).nullish(),
  error: errorSchema.nullish(),
  agent: agentReferenceSchema.nullish(),
});
export type DeploymentRun = z.infer<typeof deploymentRunSchema>;

/** Filters of a list of deployments. The service accepts only one of `status` and `includeArchived`. */
interface DeploymentFilters extends ArchiveFilter {
  readonly agentId?: string;
  readonly status?: string;
}

interface DeploymentRunFilters {
  readonly deploymentId?: string;
  readonly triggerType?: 'schedule' | 'manual';
  /** RFC 3339 timestamp. */
  readonly createdSince?: string;
  readonly createdUntil?: string;
}

const group = 'deployments';

/**
 * Creates the calls for deployments: templates that create sessions on a schedule or on request (API facts, section 14). An update replaces
 * the given fields. The service does not detect concurrent updates. An archived deployment creates no more sessions.
 */
export function createDeployments(transport: Transport) {
  const { calls, act, below } = createCrud<typeof deploymentSchema, DeploymentFilters>(transport, {
    group,
    path: '/deployments',
    type: 'deployment',
    schema: deploymentSchema,
    secretsOf: tokensIn,
    filters: { agentId: 'agent_id', status: 'status', includeArchived: 'include_archived' },
  });
  const runs = createCrud<typeof deploymentRunSchema, DeploymentRunFilters>(transport, {
    group,
    path: '/deployment_runs',
    type: 'deployment_run',
    schema: deploymentRunSchema,
    filters: {
      deploymentId: 'deployment_id',
      triggerType: 'trigger_type',
      createdSince: 'created_at[gte]',
      createdUntil: 'created_at[lte]',
    },
  });
  const { delete: _, ...deployments } = calls;
  return {
    ...deployments,
    /** Stops the schedule until `unpause`. Idempotent. */
    pause: async (id: string, options?: CallOptions) => act(id, 'pause', undefined, options),
    unpause: async (id: string, options?: CallOptions) => act(id, 'unpause', undefined, options),
    /** Creates a session now, even while the deployment is paused. Never retried. Also returns a run without a session. */
    run: async (id: string, options?: CallOptions) =>
      callForObject(transport, deploymentRunSchema, {
        method: 'POST',
        group,
        path: below(id, '/run'),
        about: { ...runs.about(), within: { deployment_id: id } },
        creates: true,
        signal: options?.signal,
      }),
    /** Runs of all deployments, newest first. */
    runs: { list: runs.calls.list, retrieve: runs.calls.retrieve },
  };
}
