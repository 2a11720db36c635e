import * as z from 'zod';
import type { CallOptions, CallResult } from '../transport/callResult';
import { identity, optionalTexts } from '../transport/commonFields';
import type { Transport } from '../transport/transport';
import { compared, createCrud } from './crud';
import { callForObject, createIn, jsonBody } from './resource';

const fields = {
  ...identity('webhook'),
  ...optionalTexts('url', 'name', 'description', 'disabled_reason', 'created_at', 'updated_at'),
  enabled_events: z.array(z.string()).nullish(),
  /** `enabled`, `disabled` or any other string. */
  status: z.string().nullish(),
};

/** Endpoint that receives events from the service, without its signing secret. Only `id` is required. */
const webhookSchema = z.looseObject(fields).transform(({ signing_secret: _, ...webhook }) => webhook);
export type Webhook = z.infer<typeof webhookSchema>;

/** Newly created endpoint and, separately, its signing secret, which the service returns only this once. */
const createdWebhookSchema = z
  .looseObject({ ...fields, signing_secret: z.string().nullish() })
  .transform(({ signing_secret: secret, ...webhook }) => ({ webhook, secret: secret ?? undefined }));

const webhookSecretSchema = z.looseObject({ signing_secret: z.string() });

const path = '/webhooks';

/** Creates the calls for webhook endpoints (API facts, section 17). Only the call that creates a signing secret returns it. */
export function createWebhooks(transport: Transport) {
  const webhooks = createCrud(transport, { group: 'webhooks', path, schema: webhookSchema, type: 'webhook' });
  const call = (at: string, params: object, id: string | undefined, signal: AbortSignal | undefined) =>
    ({ method: 'POST', group: 'webhooks', path: at, body: jsonBody(params), about: webhooks.about(id), signal }) as const;
  const { archive: _, ...calls } = webhooks.calls;
  return {
    ...calls,
    create: async (params: object, options?: CallOptions) => {
      const request = { ...call(path, params, undefined, options?.signal), creates: true };
      const created = await createIn(transport, request, () => callForObject(transport, createdWebhookSchema, request));
      return compared(created, params, {}, created.data.webhook);
    },
    /** Returns the new secret. For a while, deliveries are also signed with the old secret. */
    regenerateSecret: async (id: string, options?: CallOptions): Promise<CallResult<string>> => {
      const request = call(webhooks.below(id, '/regenerate_signing_secret'), {}, id, options?.signal);
      const { data, requestId } = await callForObject(transport, webhookSecretSchema, request);
      return { data: data.signing_secret, requestId };
    },
  };
}
