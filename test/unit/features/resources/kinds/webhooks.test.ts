import assert from 'node:assert/strict';
import { webhooks } from '../../../../../src/features/resources/kinds/webhooks';
import { context } from '../presenting';

const row = (more: object) =>
  webhooks.row({ id: 'wh_1', type: 'webhook', name: 'Mine', url: 'https://example.com/hook', ...more }, context);

describe('features/resources/kinds/webhooks', () => {
  it('explains why an endpoint is disabled, and warns unless a user disabled it', () => {
    const enabled = row({ status: 'enabled', enabled_events: ['vault.created', 'later.kind'] });
    assert.deepEqual([enabled.description, enabled.abilities], ['example.com · events: 2', 'resource webhook deletable disablable']);
    const disabled = (reason: string) => row({ status: 'disabled', disabled_reason: reason });
    assert.deepEqual([disabled('manual').icon, disabled('manual').color], ['circle-slash', 'disabledForeground']);
    assert.match(disabled('manual').description, /^disabled: by a user · /);
    assert.deepEqual([disabled('redirect').icon, disabled('redirect').color], ['warning', 'list.warningForeground']);
    assert.match(disabled('sustained_failure').description, /^disabled: too many failures/);
    assert.match(disabled('the_moon').spoken, /^Mine, disabled: the_moon/);
    assert.match(disabled('manual').abilities, /enablable/);
    assert.match(row({ status: 'dreaming' }).description, /^dreaming/);
  });
});
