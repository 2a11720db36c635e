import * as z from 'zod';

/** The kinds of events that endpoints are told of, as services are known to have them (API facts, section 17). A service may have fewer or more. */
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

/** What the vendor tells of deployments (types of its SDK); a service that registers endpoints itself need not know them. */
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
  url: z.string().nullish(),
  name: z.string().nullish(),
  description: z.string().nullish(),
  enabled_events: z.array(z.string()).nullish(),
  /** `enabled` or `disabled`; any other is kept. */
  status: z.string().nullish(),
  disabled_reason: z.string().nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
};

/** An endpoint that a service tells of events, without its signing secret. Only `id` is demanded. */
export const webhookSchema = z.looseObject(fields).transform(({ signing_secret: _, ...webhook }) => webhook);
export type Webhook = z.infer<typeof webhookSchema>;

/** An endpoint as it was just made, apart from its signing secret, which is told this once. */
export const madeWebhookSchema = z
  .looseObject({ ...fields, signing_secret: z.string().nullish() })
  .transform(({ signing_secret: secret, ...webhook }) => ({ webhook, secret: secret ?? undefined }));
export type MadeWebhook = z.infer<typeof madeWebhookSchema>;

/** A signing secret that was made anew. */
export const webhookSecretSchema = z.looseObject({ signing_secret: z.string() });
