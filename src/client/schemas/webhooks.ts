import * as z from 'zod';
import { optionalTexts } from './commonFields';

/** Event types that services are known to deliver to endpoints (API facts, section 17). A service may have fewer or more. */
export const webhookEventTypes = [
  'session.created',
  'session.status_run_started',
  'session.status_idled',
  'session.requires_action',
  'session.status_rescheduled',
  'session.status_terminated',
  'session.updated',
  'session.error',
  'session.archived',
  'session.deleted',
  'session.thread_created',
  'session.thread_status_running',
  'session.thread_status_idle',
  'session.thread_status_rescheduled',
  'session.thread_status_terminated',
  'session.thread_idled',
  'session.thread_terminated',
  'session.outcome_evaluation_ended',
  'vault.created',
  'vault.archived',
  'vault.deleted',
  'vault_credential.created',
  'vault_credential.archived',
  'vault_credential.deleted',
  'vault_credential.refresh_failed',
] as const;

/** Event types of the vendor's SDK for deployments. A service with its own endpoint registration may not know them. */
export const deploymentEventTypes = [
  'deployment.created',
  'deployment.updated',
  'deployment.paused',
  'deployment.unpaused',
  'deployment.archived',
  'deployment_run.started',
  'deployment_run.succeeded',
  'deployment_run.failed',
] as const;

const fields = {
  id: z.string().min(1),
  type: z.string().default('webhook'),
  ...optionalTexts('url', 'name', 'description', 'disabled_reason', 'created_at', 'updated_at'),
  enabled_events: z.array(z.string()).nullish(),
  /** `enabled`, `disabled` or any other string. */
  status: z.string().nullish(),
};

/** Endpoint that receives events from the service, without its signing secret. Only `id` is required. */
export const webhookSchema = z.looseObject(fields).transform(({ signing_secret: _, ...webhook }) => webhook);
export type Webhook = z.infer<typeof webhookSchema>;

/** Newly created endpoint and, separately, its signing secret, which the service returns only this once. */
export const createdWebhookSchema = z
  .looseObject({ ...fields, signing_secret: z.string().nullish() })
  .transform(({ signing_secret: secret, ...webhook }) => ({ webhook, secret: secret ?? undefined }));
export type CreatedWebhook = z.infer<typeof createdWebhookSchema>;

/** New signing secret. */
export const webhookSecretSchema = z.looseObject({ signing_secret: z.string() });
