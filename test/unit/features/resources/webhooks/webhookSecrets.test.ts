import assert from 'node:assert/strict';
import { WebhookSecrets } from '../../../../../src/features/resources/webhooks/webhookSecrets';

describe('features/resources/webhooks/webhookSecrets', () => {
  it('stores secrets in SecretStorage, and only their webhooks in the state', async () => {
    const stored = new Map<string, string>();
    const state = new Map<string, unknown>();
    const secrets = new WebhookSecrets(
      {
        get: async name => stored.get(name),
        store: async (name, value) => void stored.set(name, value),
        delete: async name => void stored.delete(name),
      },
      {
        get: <T>(name: string, otherwise?: T) => (state.get(name) ?? otherwise) as T,
        update: async (name, value) => void state.set(name, value),
      },
    );
    const one = { connection: 'Lab', webhookId: 'wh_1', name: 'Mine' };
    await secrets.keep(one, 'whsec_first');
    await secrets.keep(one, 'whsec_second');
    await secrets.keep({ ...one, connection: 'Other' }, 'whsec_third');
    assert.deepEqual([secrets.list().length, await secrets.get(one)], [2, 'whsec_second']);
    assert.deepEqual([...(await secrets.all())].sort(), ['whsec_second', 'whsec_third']);
    assert.ok(!JSON.stringify([...state]).includes('whsec_'));
    for (let n = 0; n < 120; n++) {
      await secrets.keep({ ...one, webhookId: `wh_${n + 2}` }, 'x');
    }
    assert.deepEqual([secrets.list().length, stored.size, await secrets.get(one)], [100, 100, undefined]);
  });
});
