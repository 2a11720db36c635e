import { madeWebhookSchema, webhookSchema, webhookSecretSchema } from '../schemas/webhooks';
import type { Webhooks } from '../serviceClient';
import type { Transport } from '../transport/transport';
import { createCrud } from './crud';
import { callForObject, jsonBody, pathSegment } from './resource';

const path = '/webhooks';

/** Webhook endpoints over a transport (API facts, section 17). */
export function createWebhooks(transport: Transport): Webhooks {
  const { list, retrieve, update, delete: remove } = createCrud(transport, { group: 'webhooks', path, schema: webhookSchema });
  const call = (rest: string, params: object, signal: AbortSignal | undefined) =>
    ({ method: 'POST', group: 'webhooks', path: path + rest, body: jsonBody(params), signal }) as const;
  return {
    list,
    retrieve,
    update,
    delete: remove,
    create: async (params, options) => callForObject(transport, madeWebhookSchema, { ...call('', params, options?.signal), creates: true }),
    regenerateSecret: async (id, options) => {
      const asked = call(`/${pathSegment(id)}/regenerate_signing_secret`, {}, options?.signal);
      const { data, requestId } = await callForObject(transport, webhookSecretSchema, asked);
      return { data: data.signing_secret, requestId };
    },
  };
}
