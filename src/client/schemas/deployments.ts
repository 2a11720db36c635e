import * as z from 'zod';
import { metadataSchema, optionalTexts, timeFields } from './commonFields';
import { budgetSchema } from './sessions';

/**
 * Schedule of a deployment: five POSIX cron fields in an IANA time zone, and the times that the service derives from it (API facts, section
 * 14).
 */
export const scheduleSchema = z.looseObject({
  /** `cron`, or any other string. */
  type: z.string().nullish(),
  ...optionalTexts('expression', 'timezone', 'last_run_at'),
  /** At most five times. Each session starts shortly after its time. */
  upcoming_runs_at: z.array(z.string()).nullish(),
});
export type Schedule = z.infer<typeof scheduleSchema>;

/** Agent version of a deployment or a run. */
const agentReferenceSchema = z.looseObject({ type: z.string().nullish(), id: z.string().nullish(), version: z.number().nullish() });

/** Reason why a service paused a deployment or could not create a session. `type` can be any string. */
const errorSchema = z.looseObject({ type: z.string().nullish(), message: z.string().nullish() });

/** Template from which sessions are created repeatedly (API facts, section 14). Only `id` is required. */
export const deploymentSchema = z.looseObject({
  id: z.string().min(1),
  type: z.string().default('deployment'),
  ...optionalTexts('name', 'description', 'environment_id'),
  agent: agentReferenceSchema.nullish(),
  vault_ids: z.array(z.string()).nullish(),
  initial_events: z.array(z.looseObject({ type: z.string().nullish() })).nullish(),
  resources: z.array(z.looseObject({ type: z.string().nullish() })).nullish(),
  metadata: metadataSchema.nullish(),
  schedule: scheduleSchema.nullish(),
  /** `active`, `paused` or any other string. An archived deployment may be called active. */
  status: z.string().nullish(),
  /** `manual`, or `error` with the reason. */
  paused_reason: z.looseObject({ type: z.string().nullish(), error: errorSchema.nullish() }).nullish(),
  budget: budgetSchema.nullish(),
  ...timeFields,
});
export type Deployment = z.infer<typeof deploymentSchema>;

/**
 * Result of creating one session from a deployment: the session, or why it failed. How the session ends is not part of it (API facts,
 * section 14). Only `id` is required.
 */
export const deploymentRunSchema = z.looseObject({
  id: z.string().min(1),
  type: z.string().default('deployment_run'),
  ...optionalTexts('deployment_id', 'session_id', 'created_at'),
  /** `schedule` with the scheduled time, or `manual`. */
  trigger_context: z.looseObject({ type: z.string().nullish(), scheduled_at: z.string().nullish() }).nullish(),
  error: errorSchema.nullish(),
  agent: agentReferenceSchema.nullish(),
});
export type DeploymentRun = z.infer<typeof deploymentRunSchema>;
