import * as z from 'zod';
import { parseCron } from '../../shared/schedule/cronExpression';
import { zoneName } from '../../shared/schedule/zoneTime';
import { agentReferenceSchema } from '../agents/agentParams';
import { invalidRequest } from '../http/apiError';
import { metadataPatchSchema, metadataSchema, patched, toTime, toTimeOrNull, toWire } from '../http/toWire';
import { budgetSchema } from '../sessions/sessionRecord';
import { archivableShape, recordShape } from '../state/recordStore';

const agentParamsSchema = z.union([z.string().min(1).max(128), agentReferenceSchema]);
const scheduleSchema = z.object({ type: z.literal('cron'), expression: z.string().min(1).max(256), timezone: z.string().min(1) });
export type ScheduleParams = z.infer<typeof scheduleSchema>;

/** Body of a create, without `initial_events` and the elements of `resources`, which are parsed separately (API facts, section 14). */
export const createDeploymentSchema = z.object({
  name: z.string().min(1).max(256),
  description: z.string().max(2048).nullish(),
  agent: agentParamsSchema,
  environment_id: z.string().min(1).max(128),
  vault_ids: z.array(z.string()).max(50).optional(),
  resources: z.array(z.unknown()).max(500).optional(),
  initial_events: z.unknown(),
  schedule: scheduleSchema.nullish(),
  budget: budgetSchema.nullish(),
  metadata: metadataSchema.optional(),
});
export type CreateDeploymentParams = z.infer<typeof createDeploymentSchema>;

/** Body of an update. Absent fields stay unchanged, null clears, arrays are replaced, and `metadata` is a patch. */
export const updateDeploymentSchema = createDeploymentSchema.partial().extend({
  vault_ids: createDeploymentSchema.shape.vault_ids.nullable(),
  resources: createDeploymentSchema.shape.resources.nullable(),
  metadata: metadataPatchSchema.optional(),
});
export type UpdateDeploymentParams = z.infer<typeof updateDeploymentSchema>;

/** Throws a 400 for a schedule that never occurs, with the message of an observed server. */
export function checkSchedule({ expression, timezone }: ScheduleParams): void {
  const parsed = parseCron(expression);
  if ('problem' in parsed) {
    throw invalidRequest(
      parsed.problem === 'count'
        ? `schedule.expression expected exactly 5 fields, found ${parsed.found}: [${expression}]`
        : `schedule.expression failed to parse: ${parsed.part}`,
    );
  }
  if (zoneName(timezone) === undefined) {
    throw invalidRequest(`schedule.timezone unknown time zone ${timezone}`);
  }
}

const agentSchema = z.object({ type: z.literal('agent'), id: z.string(), version: z.number() });

export const deploymentRecordSchema = z.object({
  ...archivableShape,
  name: z.string(),
  description: z.string().nullable(),
  agent: agentSchema,
  environmentId: z.string(),
  vaultIds: z.array(z.string()),
  initialEvents: z.array(z.looseObject({ type: z.string() })),
  /** Resources as in the request, without tokens. */
  resources: z.array(z.looseObject({ type: z.string() })),
  schedule: z.object({ type: z.literal('cron'), expression: z.string(), timezone: z.string() }).nullable(),
  budget: budgetSchema.nullable(),
  /** Reason why the schedule is paused. Null while the schedule is active. */
  paused: z.object({ type: z.string(), error: z.object({ type: z.string() }).optional() }).nullable(),
  lastRunAt: z.number().nullable(),
});
/** Deployment as the emulator stores it. Times are in milliseconds since 1970. */
export type DeploymentRecord = Readonly<z.infer<typeof deploymentRecordSchema>>;

/** Fields that a create sets and an update changes. */
export type DeploymentFields = Omit<
  DeploymentRecord,
  'id' | 'sequence' | 'createdAt' | 'updatedAt' | 'archivedAt' | 'paused' | 'lastRunAt'
>;

export const emptyDeployment: DeploymentFields = {
  name: '',
  description: null,
  agent: { type: 'agent', id: '', version: 0 },
  environmentId: '',
  vaultIds: [],
  initialEvents: [],
  resources: [],
  metadata: {},
  schedule: null,
  budget: null,
};

/** Returns the fields of `old` that are stored as they are sent, with the changes in `params`. Throws a 400 for too much metadata. */
export function plainFieldsOf(
  params: UpdateDeploymentParams,
  old: DeploymentFields,
): Omit<DeploymentFields, 'agent' | 'initialEvents' | 'resources'> {
  return {
    name: params.name ?? old.name,
    description: params.description === undefined ? old.description : params.description || null,
    environmentId: params.environment_id ?? old.environmentId,
    vaultIds: params.vault_ids === undefined ? old.vaultIds : (params.vault_ids ?? []),
    metadata: patched(old.metadata, params.metadata),
    schedule: params.schedule === undefined ? old.schedule : params.schedule,
    budget: params.budget === undefined ? old.budget : params.budget,
  };
}

export const runRecordSchema = z.object({
  ...recordShape,
  deploymentId: z.string(),
  agent: agentSchema,
  /** Scheduled time. Null for a manual run. */
  scheduledAt: z.number().nullable(),
  sessionId: z.string().nullable(),
  error: z.object({ type: z.string(), message: z.string() }).nullable(),
});
/** Result of one run: a session, or the reason for the failure. */
export type RunRecord = Readonly<z.infer<typeof runRecordSchema>>;

/** Converts a deployment to its response form. `upcoming` is in milliseconds since 1970. */
export function toDeployment({ schedule, paused, lastRunAt, ...record }: DeploymentRecord, upcoming: readonly number[]): object {
  return toWire('deployment', record, {
    // As observed: an absent description is empty, although the shape allows null.
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

export function toDeploymentRun({ scheduledAt, ...run }: RunRecord): object {
  return toWire('deployment_run', run, {
    trigger_context: scheduledAt === null ? { type: 'manual' } : { type: 'schedule', scheduled_at: toTime(scheduledAt, true) },
  });
}
