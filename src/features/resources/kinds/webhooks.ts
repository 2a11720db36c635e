import type { Webhook } from '../../../client/schemas/webhooks';
import { describeMoment, describeSince, join, nameOrId, toRow } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import { toLabel } from '../../../shared/text';
import type { ResourceKind } from '../resourceKind';
import { deleting, wordOf } from './acts';

/** Webhook endpoints, if the service supports registering them (API facts, section 17). */
export const webhooks: ResourceKind<Webhook> = {
  kind: 'webhook',
  icon: 'broadcast',
  title: translate => translate('Webhooks'),
  calls: ({ webhooks: { list, retrieve, delete: remove } }) => ({ list, retrieve, delete: remove }),
  name: webhookName,
  row: (webhook, context) => {
    const { translate } = context;
    const label = webhookName(webhook);
    const isDisabled = webhook.status === 'disabled';
    const reason = webhook.disabled_reason ?? '';
    // An endpoint disabled by the user is intended. One disabled by the service is a problem.
    const isAmiss = isDisabled && reason !== '' && reason !== 'manual';
    const state = isDisabled
      ? join(': ', translate('disabled'), reasonWords(reason, translate))
      : webhook.status === 'enabled'
        ? ''
        : toLabel(webhook.status ?? '', 40);
    const kinds = webhook.enabled_events?.length ?? 0;
    const events = translate('events: {0}', kinds);
    const host = hostOf(webhook.url);
    const age = describeSince(webhook.updated_at ?? webhook.created_at, context);
    return toRow(label, [state, host, events, age], {
      icon: isAmiss ? 'warning' : isDisabled ? 'circle-slash' : 'broadcast',
      color: isAmiss ? 'list.warningForeground' : isDisabled ? 'disabledForeground' : undefined,
      abilities: ['resource', 'webhook', 'deletable', isDisabled ? 'enablable' : 'disablable'],
    });
  },
  facts: (webhook, context) => {
    const { translate } = context;
    return [
      [translate('Address'), webhook.url ?? ''],
      [translate('Description'), webhook.description ?? ''],
      [translate('State'), webhook.status ?? ''],
      [translate('Reason'), reasonWords(webhook.disabled_reason ?? '', translate)],
      [translate('Events'), (webhook.enabled_events ?? []).join(', ')],
      [translate('Signing secret'), translate("Shown only once. Regenerate it if it's lost.")],
      [translate('Created'), describeMoment(webhook.created_at, context)],
      [translate('Updated'), describeMoment(webhook.updated_at, context)],
    ];
  },
  acts: {
    disable: {
      confirm: (name, translate) => ({
        title: translate('Disable "{0}"?', name),
        detail: translate('Events while it is disabled are never delivered.'),
        button: translate('Disable'),
      }),
      run: async ({ webhooks: calls }, { id }) => (await calls.update(id, { status: 'disabled' })).data,
    },
    delete: deleting(translate => translate("This can't be undone.")),
  },
};

function webhookName({ id, name, url }: Webhook): string {
  return nameOrId(name?.trim() ? name : url, id);
}

function hostOf(url: string | null | undefined): string {
  return toLabel(URL.canParse(url ?? '') ? new URL(url ?? '').host : (url ?? ''), 60);
}

/** Describes why an endpoint is disabled. An unknown reason is shown in the service's own words. */
function reasonWords(reason: string, translate: Translate): string {
  const words = {
    manual: translate('by a user'),
    redirect: translate('redirected'),
    sustained_failure: translate('too many failures'),
  };
  return wordOf(words, reason, 80);
}
