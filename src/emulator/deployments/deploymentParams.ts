import * as z from 'zod';
import { parseCron } from '../../shared/schedule/cronExpression';
import { zoneName } from '../../shared/schedule/zoneTime';
import { agentReferenceSchema } from '../agents/agentParams';
import { invalidRequest } from '../http/apiError';
import { metadataPatchSchema, metadataSchema } from '../http/toWire';
import { budgetSchema } from '../sessions/sessionRecord';

const agentSchema = z.union([z.string().min(1).max(128), agentReferenceSchema]);
const scheduleSchema = z.object({ type: z.literal('cron'), expression: z.string().min(1).max(256), timezone: z.string().min(1) });
export type ScheduleParams = z.infer<typeof scheduleSchema>;

const nameSchema = z.string().min(1).max(256);
const environmentSchema = z.string().min(1).max(128);
const vaultsSchema = z.array(z.string()).max(50);
const resourcesSchema = z.array(z.unknown()).max(500);
const optionalFields = {
  description: z.string().max(2048).nullish(),
  schedule: scheduleSchema.nullish(),
  budget: budgetSchema.nullish(),
};

/** Body of a create, without `initial_events` and the elements of `resources`, which are parsed separately (API facts, section 14). */
export const createDeploymentSchema = z.object({
  ...optionalFields,
  name: nameSchema,
  agent: agentSchema,
  environment_id: environmentSchema,
  vault_ids: vaultsSchema.optional(),
  resources: resourcesSchema.optional(),
  initial_events: z.unknown(),
  metadata: metadataSchema.optional(),
});
export type CreateDeploymentParams = z.infer<typeof createDeploymentSchema>;

/** Body of an update. Absent fields stay unchanged, null clears, arrays are replaced, and `metadata` is a patch. */
export const updateDeploymentSchema = z.object({
  ...optionalFields,
  name: nameSchema.optional(),
  agent: agentSchema.optional(),
  environment_id: environmentSchema.optional(),
  vault_ids: vaultsSchema.nullish(),
  resources: resourcesSchema.nullish(),
  initial_events: z.unknown().optional(),
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
