import { checkBody } from '../http/bodyCheck';
import { kindRoutes } from '../http/kindRoutes';
import { type Route, routesBelow } from '../http/matchRoute';
import { createWebhookSchema, toWebhook, updateWebhookSchema, type WebhookState } from './webhookState';

/** Returns the routes of `/v1/webhooks` and the paths below it (API facts, section 17). A secret is returned only when it is created. */
export function webhookRoutes(webhooks: WebhookState, strict: boolean): readonly Route[] {
  const path = '/v1/webhooks';
  const table = {
    group: 'webhooks',
    path,
    create: (body: unknown) => {
      const made = webhooks.create(checkBody(createWebhookSchema, body));
      return { ...toWebhook(made), signing_secret: made.secret };
    },
    list: () => webhooks.list().map(toWebhook),
    retrieve: (id: string) => toWebhook(webhooks.get(id)),
    update: (id: string, body: unknown) => toWebhook(webhooks.update(id, checkBody(updateWebhookSchema, body))),
    delete: async (id: string) => {
      await webhooks.delete(id);
      return 'webhook_deleted';
    },
  } as const;
  return [
    ...kindRoutes(table, strict),
    routesBelow('webhooks', path, 'webhooks')('POST', 'regenerate', '/:id/regenerate_signing_secret', async (exchange, id) =>
      exchange.sendJson({ signing_secret: webhooks.regenerate(id) }),
    ),
  ];
}
