import assert from 'node:assert/strict';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { WebhookEndpoint } from '../../helpers/webhookEndpoint';
import type { VendorSdk } from './vendorSdk';
import type { VendorVaults } from './vendorVaults';

/** Method that verifies a delivery in both versions of the vendor's SDK. The compiler checks that it exists. */
export interface VendorWebhooks extends Pick<VendorVaults, 'vaults'> {
  readonly webhooks: {
    unwrap(body: string, options: { headers: Record<string, string>; key?: string }): { readonly id: string; readonly data: object };
  };
}

export interface VendorWebhooksSdk extends Pick<VendorSdk, 'name' | 'dialect'> {
  connect(url: string, key: string): VendorWebhooks;
}

/** Tests the emulator's deliveries with the vendor's code. */
export function describeVendorWebhooks(sdk: VendorWebhooksSdk): void {
  describe(`src/emulator webhooks with ${sdk.name}`, () => {
    let emulator: Emulator;
    const place = new WebhookEndpoint();

    before('start both', async () => {
      emulator = await startEmulator({ dialect: sdk.dialect });
    });
    after('stop both', async () => {
      await emulator.stop();
      await place.close();
    });

    it('signs deliveries so that the SDK accepts them, and rejects others', async () => {
      const url = await place.open();
      const client = sdk.connect(emulator.url, emulator.key);
      const headers = {
        'x-api-key': emulator.key,
        'anthropic-version': sdk.dialect === 'anthropic-2023' ? '2023-06-01' : '2026-10-21',
        'anthropic-beta': 'webhooks-2026-03-01',
      };
      const body = JSON.stringify({ url, name: 'Mine', enabled_events: ['vault.created'] });
      const answer = await fetch(`${emulator.url}/v1/webhooks?beta=true`, { method: 'POST', headers, body });
      const { signing_secret: key } = (await answer.json()) as { readonly signing_secret: string };
      const { id } = await client.vaults.create({ display_name: 'Keys' });
      await emulator.advanceClock(0);
      const [taken] = place.taken;
      assert.ok(taken !== undefined);
      const given = taken.headers as Record<string, string>;
      const { data } = client.webhooks.unwrap(taken.body, { headers: given, key });
      assert.deepEqual([(data as { id?: string }).id, (data as { type?: string }).type], [id, 'vault.created']);
      assert.throws(() => client.webhooks.unwrap(`${taken.body} `, { headers: given, key }));
    });
  });
}
