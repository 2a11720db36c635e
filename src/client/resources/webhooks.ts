import { createdWebhookSchema, webhookSchema, webhookSecretSchema } from '../schemas/webhooks';
import type { Webhooks } from '../serviceClient';
import type { Transport } from '../transport/transport';
import { compared, createCrud } from './crud';
import { callForObject, createIn, jsonBody } from './resource';

const path = '/webhooks';

/** Creates the calls for webhook endpoints (API facts, section 17). */
export function createWebhooks(transport: Transport): Webhooks {
  const webhooks = createCrud(transport, { group: 'webhooks', path, schema: webhookSchema, type: 'webhook' });
  const call = (at: string, params: object, id: string | undefined, signal: AbortSignal | undefined) =>
    ({ method: 'POST', group: 'webhooks', path: at, body: jsonBody(params), about: webhooks.about(id), signal }) as const;
  return {
    ...webhooks,
    create: async (params, options) => {
      const request = { ...call(path, params, undefined, options?.signal), creates: true };
      const created = await createIn(transport, request, () => callForObject(transport, createdWebhookSchema, request));
      return compared(created, params, {}, created.data.webhook);
    },
    regenerateSecret: async (id, options) => {
      const request = call(webhooks.below(id, '/regenerate_signing_secret'), {}, id, options?.signal);
      const { data, requestId } = await callForObject(transport, webhookSecretSchema, request);
      return { data: data.signing_secret, requestId };
    },
  };
}
