import * as z from 'zod';
import { metadataSchema } from './metadata';
import { budgetSchema } from './sessions';

/** The clock of a deployment: five POSIX fields in an IANA zone, and what the service makes of them (API facts, section 14). */
export const scheduleSchema = z.looseObject({
  /** `cron`; any other is kept. */
  type: z.string().nullish(),
  expression: z.string().nullish(),
  timezone: z.string().nullish(),
  last_run_at: z.string().nullish(),
  /** At most five. A session starts a little later than its time. */
  upcoming_runs_at: z.array(z.string()).nullish(),
});
export type Schedule = z.infer<typeof scheduleSchema>;

/** The agent of a deployment or of a run, as one version of it. */
const agentReferenceSchema = z.looseObject({ type: z.string().nullish(), id: z.string().nullish(), version: z.number().nullish() });

/** Why a service stopped a deployment or could not make a session. `type` is any of many words; any other is kept. */
const errorSchema = z.looseObject({ type: z.string().nullish(), message: z.string().nullish() });

/** What sessions are made of again and again (API facts, section 14). Only `id` is demanded. */
export const deploymentSchema = z.looseObject({
  id: z.string().min(1),
  type: z.string().default('deployment'),
  name: z.string().nullish(),
  description: z.string().nullish(),
  agent: agentReferenceSchema.nullish(),
  environment_id: z.string().nullish(),
  vault_ids: z.array(z.string()).nullish(),
  initial_events: z.array(z.looseObject({ type: z.string().nullish() })).nullish(),
  resources: z.array(z.looseObject({ type: z.string().nullish() })).nullish(),
  metadata: metadataSchema.nullish(),
  schedule: scheduleSchema.nullish(),
  /** `active` or `paused`; any other is kept. What is archived may be called active. */
  status: z.string().nullish(),
  /** `manual`, or `error` with what went wrong. */
  paused_reason: z.looseObject({ type: z.string().nullish(), error: errorSchema.nullish() }).nullish(),
  budget: budgetSchema.nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  archived_at: z.string().nullish(),
});
export type Deployment = z.infer<typeof deploymentSchema>;

/** That a session was made for a deployment, or why not; its end is the session's own (API facts, section 14). Only `id` is demanded. */
export const deploymentRunSchema = z.looseObject({
  id: z.string().min(1),
  type: z.string().default('deployment_run'),
  deployment_id: z.string().nullish(),
  /** `schedule` with the time that it was meant for, or `manual`. */
  trigger_context: z.looseObject({ type: z.string().nullish(), scheduled_at: z.string().nullish() }).nullish(),
  session_id: z.string().nullish(),
  error: errorSchema.nullish(),
  agent: agentReferenceSchema.nullish(),
  created_at: z.string().nullish(),
});
export type DeploymentRun = z.infer<typeof deploymentRunSchema>;
