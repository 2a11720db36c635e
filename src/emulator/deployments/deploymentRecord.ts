import * as z from 'zod';
import { toTime, toTimeOrNull } from '../http/wireTime';
import { budgetSchema } from '../sessions/sessionRecord';

const agentSchema = z.object({ type: z.literal('agent'), id: z.string(), version: z.number() });

export const deploymentRecordSchema = z.object({
  id: z.string(),
  /** Position in the order of creation. */
  sequence: z.number(),
  name: z.string(),
  description: z.string().nullable(),
  agent: agentSchema,
  environmentId: z.string(),
  vaultIds: z.array(z.string()),
  initialEvents: z.array(z.looseObject({ type: z.string() })),
  /** As in the request, without tokens. */
  resources: z.array(z.looseObject({ type: z.string() })),
  metadata: z.record(z.string(), z.string()),
  schedule: z.object({ type: z.literal('cron'), expression: z.string(), timezone: z.string() }).nullable(),
  budget: budgetSchema.nullable(),
  /** Reason why the schedule is paused. Null while it is active. */
  paused: z.object({ type: z.string(), error: z.object({ type: z.string() }).optional() }).nullable(),
  lastRunAt: z.number().nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
  archivedAt: z.number().nullable(),
});
/** Deployment as the emulator stores it. Times are in milliseconds since 1970. */
export type DeploymentRecord = Readonly<z.infer<typeof deploymentRecordSchema>>;

export const runRecordSchema = z.object({
  id: z.string(),
  sequence: z.number(),
  deploymentId: z.string(),
  agent: agentSchema,
  /** Scheduled time. Null for a manual run. */
  scheduledAt: z.number().nullable(),
  sessionId: z.string().nullable(),
  error: z.object({ type: z.string(), message: z.string() }).nullable(),
  createdAt: z.number(),
});
/** Result of one run: a session, or the reason why there is none. */
export type RunRecord = Readonly<z.infer<typeof runRecordSchema>>;

/** Converts a deployment to its response form. `upcoming` is in milliseconds since 1970. */
export function toDeployment(record: DeploymentRecord, upcoming: readonly number[]) {
  const { schedule, paused } = record;
  return {
    id: record.id,
    type: 'deployment',
    name: record.name,
    // As observed: empty if there is none, although the shape allows null.
    description: record.description ?? '',
    agent: record.agent,
    environment_id: record.environmentId,
    vault_ids: record.vaultIds,
    initial_events: record.initialEvents,
    resources: record.resources,
    metadata: record.metadata,
    schedule: schedule && {
      ...schedule,
      last_run_at: toTimeOrNull(record.lastRunAt),
      upcoming_runs_at: upcoming.map(time => toTime(time, true)),
    },
    status: paused === null ? 'active' : 'paused',
    paused_reason: paused,
    budget: record.budget,
    created_at: toTime(record.createdAt),
    updated_at: toTime(record.updatedAt),
    archived_at: toTimeOrNull(record.archivedAt),
  };
}

/** Converts a run to its response form. */
export function toDeploymentRun(run: RunRecord) {
  return {
    id: run.id,
    type: 'deployment_run',
    deployment_id: run.deploymentId,
    trigger_context: run.scheduledAt === null ? { type: 'manual' } : { type: 'schedule', scheduled_at: toTime(run.scheduledAt, true) },
    session_id: run.sessionId,
    error: run.error,
    agent: run.agent,
    created_at: toTime(run.createdAt),
  };
}
