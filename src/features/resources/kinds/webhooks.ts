import type { Webhook } from '../../../client/resources/webhooks';
import { nameOrId } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import { join, toLabel } from '../../../shared/text';
import type { ResourceKind } from '../resourceKind';
import { defineKind, wordOf } from './defineKind';

/** Webhook endpoints, if the service supports registering them (API facts, section 17). */
export const webhooks: ResourceKind<Webhook> = defineKind({
  kind: 'webhook',
  icon: 'broadcast',
  title: translate => translate('Webhooks'),
  calls: ({ webhooks: { list, retrieve, delete: remove } }) => ({ list, retrieve, delete: remove }),
  name: ({ id, name, url }) => nameOrId(name?.trim() ? name : url, id),
  row: (webhook, { translate }) => {
    const { status, disabled_reason: reason } = webhook;
    const url = webhook.url ?? '';
    const isDisabled = status === 'disabled';
    // An endpoint that the service disabled is a problem. An endpoint that a user disabled is not.
    const isProblem = isDisabled && !!reason && reason !== 'manual';
    const state = isDisabled ? join(': ', translate('disabled'), reasonWords(webhook, translate)) : toLabel(status ?? '', 40);
    return {
      words: [
        status === 'enabled' ? '' : state,
        toLabel(URL.canParse(url) ? new URL(url).host : url, 60),
        translate('events: {0}', webhook.enabled_events?.length ?? 0),
      ],
      icon: isProblem ? 'warning' : isDisabled ? 'circle-slash' : 'broadcast',
      color: isProblem ? 'list.warningForeground' : isDisabled ? 'disabledForeground' : undefined,
      abilities: ['deletable', isDisabled ? 'enablable' : 'disablable'],
    };
  },
  facts: (webhook, { translate }) => [
    [translate('Address'), webhook.url ?? ''],
    [translate('Description'), webhook.description ?? ''],
    [translate('State'), webhook.status ?? ''],
    [translate('Reason'), reasonWords(webhook, translate)],
    [translate('Events'), (webhook.enabled_events ?? []).join(', ')],
    [translate('Signing secret'), translate("Shown only once. Regenerate it if it's lost.")],
  ],
  acts: {
    disable: {
      detail: translate => translate("Events that occur while it's disabled are never delivered."),
      run: async ({ webhooks: calls }, { id }) => (await calls.update(id, { status: 'disabled' })).data,
    },
    delete: { detail: translate => translate("This can't be undone.") },
  },
});

/** Describes why an endpoint is disabled. An unknown reason is shown in the service's own words. */
function reasonWords({ disabled_reason: reason }: Webhook, translate: Translate): string {
  const words = {
    manual: translate('by a user'),
    redirect: translate('redirected'),
    sustained_failure: translate('too many failures'),
  };
  return wordOf(words, reason, 80);
}
