import * as z from 'zod';
import { toTime, toTimeOrNull } from '../http/wireTime';
import { budgetSchema } from '../sessions/sessionRecord';
import { archivableShape, recordShape, toWire } from '../state/recordStore';

const agentSchema = z.object({ type: z.literal('agent'), id: z.string(), version: z.number() });

export const deploymentRecordSchema = z.object({
  ...archivableShape,
  name: z.string(),
  description: z.string().nullable(),
  agent: agentSchema,
  environmentId: z.string(),
  vaultIds: z.array(z.string()),
  initialEvents: z.array(z.looseObject({ type: z.string() })),
  /** As in the request, without tokens. */
  resources: z.array(z.looseObject({ type: z.string() })),
  schedule: z.object({ type: z.literal('cron'), expression: z.string(), timezone: z.string() }).nullable(),
  budget: budgetSchema.nullable(),
  /** Reason why the schedule is paused. Null while it is active. */
  paused: z.object({ type: z.string(), error: z.object({ type: z.string() }).optional() }).nullable(),
  lastRunAt: z.number().nullable(),
});
/** Deployment as the emulator stores it. Times are in milliseconds since 1970. */
export type DeploymentRecord = Readonly<z.infer<typeof deploymentRecordSchema>>;

export const runRecordSchema = z.object({
  ...recordShape,
  deploymentId: z.string(),
  agent: agentSchema,
  /** Scheduled time. Null for a manual run. */
  scheduledAt: z.number().nullable(),
  sessionId: z.string().nullable(),
  error: z.object({ type: z.string(), message: z.string() }).nullable(),
});
/** Result of one run: a session, or the reason why there is none. */
export type RunRecord = Readonly<z.infer<typeof runRecordSchema>>;

/** Converts a deployment to its response form. `upcoming` is in milliseconds since 1970. */
export function toDeployment({ schedule, paused, lastRunAt, ...record }: DeploymentRecord, upcoming: readonly number[]): object {
  return toWire('deployment', record, {
    // As observed: empty if there is none, although the shape allows null.
    description: record.description ?? '',
    schedule: schedule && {
      ...schedule,
      last_run_at: toTimeOrNull(lastRunAt),
      upcoming_runs_at: upcoming.map(time => toTime(time, true)),
    },
    status: paused === null ? 'active' : 'paused',
    paused_reason: paused,
  });
}

/** Converts a run to its response form. */
export function toDeploymentRun({ scheduledAt, ...run }: RunRecord): object {
  return toWire('deployment_run', run, {
    trigger_context: scheduledAt === null ? { type: 'manual' } : { type: 'schedule', scheduled_at: toTime(scheduledAt, true) },
  });
}
