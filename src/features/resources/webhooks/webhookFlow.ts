import * as vscode from 'vscode';
import type { Webhook } from '../../../client/resources/webhooks';
import { ServiceError } from '../../../client/transport/errors';
import { askChoice, askChoices, runQuestions, separator } from '../../../common/asking/askSteps';
import { confirmChange, confirmModal } from '../../../common/asking/confirmChange';
import { askModal } from '../../../common/asking/notifications';
import { warnOfIgnored } from '../../../common/asking/warnOfIgnored';
import { describeError } from '../../../common/text/describeError';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { deploymentEventTypes, webhookEventTypes } from '../../../contract/webhookEventTypes';
import { toLabel } from '../../../shared/text';
import { type Reached, refuseUntrusted } from '../../connection';
import { webhooks } from '../kinds/webhooks';
import { connectionToCreateOn, type ResourceFlow, resourceToChange, unlessGone, updateResource } from '../resourceFlow';
import { askName, askUrl } from '../vaults/credentialQuestions';
import type { WebhookSecrets } from './webhookSecrets';

/** Asks for an endpoint and registers it. `url` is the suggestion. Shows its secret once. */
export async function createWebhook(flow: ResourceFlow, secrets: WebhookSecrets, url = ''): Promise<void> {
  refuseUntrusted('change');
  const { t } = vscode.l10n;
  const { name: connection } = await connectionToCreateOn(flow, webhooks);
  const reached = await flow.service.reach(connection, 'change');
  const title = t('New Webhook on {0}', connection);
  const params = { url, name: '', enabled_events: [] as readonly string[] };
  const response = await createAsGiven(reached, params, () =>
    runQuestions(() => [
      async canGoBack => {
        params.url = await askUrl(title, t('Endpoint URL'), params.url, canGoBack);
      },
      async canGoBack => {
        params.name = await askName(title, params.name || new URL(params.url).host, canGoBack);
      },
      async canGoBack => {
        params.enabled_events = await askEvents(title, params.enabled_events, canGoBack);
      },
    ]),
  );
  const { data } = response;
  flow.store.put({ connection, kind: webhooks.kind }, data.webhook);
  warnOfIgnored(webhooks.name(data.webhook), response);
  await showSecret(secrets, connection, data.webhook, data.secret);
  await flow.store.listOf(connection, webhooks).refresh();
}

/** Asks the questions and creates the webhook. If the service refuses, the user can edit the answers and try again. */
async function createAsGiven(
  { client }: Reached,
  params: Parameters<Reached['client']['webhooks']['create']>[0],
  ask: () => Promise<void>,
) {
  const { t } = vscode.l10n;
  for (;;) {
    await ask();
    try {
      return await client.webhooks.create(params);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.outcome === 'unknown') {
        throw error;
      }
      await confirmModal(t("Couldn't create the webhook."), describeError(error), t('Edit and Try Again'));
    }
  }
}

/** Changes the URL, name or events of an endpoint. */
export async function editWebhook(flow: ResourceFlow, target: unknown): Promise<void> {
  const { t } = vscode.l10n;
  const { reference, reached, value: webhook } = await resourceToChange(flow, target, webhooks, 'webhook');
  const name = withoutIcons(webhooks.name(webhook));
  const title = t('Edit {0}', name);
  const change = await askChoice<() => Promise<object>>({
    title,
    placeholder: t('Select what to edit'),
    choices: [
      {
        label: t('Events'),
        description: String(webhook.enabled_events?.length ?? 0),
        value: async () => ({ enabled_events: await askEvents(title, webhook.enabled_events ?? [], false) }),
      },
      {
        label: t('Address'),
        description: withoutIcons(toLabel(webhook.url ?? '', 80)),
        value: async () => ({ url: await askUrl(title, t('Endpoint URL'), webhook.url ?? '', false) }),
      },
      { label: t('Name'), description: name, value: async () => ({ name: await askName(title, webhook.name ?? '', false) }) },
    ],
  });
  const params = await change();
  await updateResource(flow, reference, () => reached.client.webhooks.update(reference.id, params));
  vscode.window.setStatusBarMessage(t('Changed {0}', name), 5000);
}

/** Enables an endpoint again. */
export async function enableWebhook(flow: ResourceFlow, target: unknown): Promise<void> {
  const { t } = vscode.l10n;
  const { reference, reached, value: webhook } = await resourceToChange(flow, target, webhooks, 'enablable');
  await updateResource(flow, reference, () => reached.client.webhooks.update(reference.id, { status: 'enabled' }));
  vscode.window.setStatusBarMessage(t('Enabled {0}', withoutIcons(webhooks.name(webhook))), 5000);
}

/** Replaces the signing secret, after asking, and shows the new secret once. */
export async function regenerateSecret(flow: ResourceFlow, secrets: WebhookSecrets, target: unknown): Promise<void> {
  const { t } = vscode.l10n;
  const { reference, reached, value: webhook } = await resourceToChange(flow, target, webhooks, 'webhook');
  await confirmChange(reached.connection, {
    title: t('Regenerate the signing secret of {0}?', webhooks.name(webhook)),
    details: [t('The old secret stops working. Update your receiver.')],
    button: t('Regenerate Secret'),
  });
  const { data: secret } = await unlessGone(flow, reference, () => reached.client.webhooks.regenerateSecret(reference.id));
  await showSecret(secrets, reference.connection, webhook, secret);
}

/** Shows a new secret in a dialog that offers to copy and save it. The secret appears nowhere else. */
async function showSecret(secrets: WebhookSecrets, connection: string, webhook: Webhook, secret: string | undefined): Promise<void> {
  const { t } = vscode.l10n;
  const name = webhooks.name(webhook);
  if (secret === undefined) {
    await askModal(t('The service returned no signing secret. Regenerate it.'), {});
    return;
  }
  const [copy, keep, both] = [t('Copy'), t('Keep in VS Code'), t('Copy and Keep')];
  const detail = t('It is shown only once. VS Code can keep it to verify deliveries.');
  const chosen = await askModal(t('The signing secret of {0}', name), { detail: `${secret}\n\n${detail}` }, copy, keep, both);
  if (chosen === copy || chosen === both) {
    await vscode.env.clipboard.writeText(secret);
  }
  if (chosen === keep || chosen === both) {
    await secrets.keep({ connection, webhookId: webhook.id, name }, secret);
  }
}

/** Asks which kinds of events the endpoint receives. Unknown kinds stay unchanged. */
function askEvents(title: string, before: readonly string[], canGoBack: boolean): Promise<readonly string[]> {
  const { t } = vscode.l10n;
  const groups = [
    [t('Sessions'), webhookEventTypes.filter(type => type.startsWith('session.'))],
    [t('Vaults'), webhookEventTypes.filter(type => type.startsWith('vault'))],
    [t('Deployments'), deploymentEventTypes],
    [t('Others'), before.filter(type => ![...webhookEventTypes, ...deploymentEventTypes].some(known => known === type))],
  ] as const;
  return askChoices<string>({
    ...{ title, canGoBack, ticked: before },
    placeholder: t('Select events'),
    choices: groups.flatMap(([label, types]) => [
      ...(types.length === 0 ? [] : [separator(label)]),
      ...types.map(type => ({ label: withoutIcons(toLabel(type, 100)), value: type })),
    ]),
    validate: types => (types.length === 0 ? t('Select at least one.') : undefined),
  });
}
