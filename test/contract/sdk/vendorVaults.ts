import assert from 'node:assert/strict';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import type { VendorSdk } from './vendorSdk';

interface Vault {
  readonly id: string;
  readonly display_name: string;
  readonly archived_at: string | null;
}

type Auth =
  | { type: 'static_bearer'; mcp_server_url: string; token: string }
  | {
      type: 'environment_variable';
      secret_name: string;
      secret_value: string;
      networking: { type: 'limited'; allowed_hosts: string[] };
    }
  | { type: 'mcp_oauth'; mcp_server_url: string; access_token: string; expires_at?: string };

interface Credential {
  readonly id: string;
  readonly auth: { readonly type: string };
  readonly archived_at: string | null;
}

interface OfVault {
  vault_id: string;
}

type Pages<T> = AsyncIterable<T>;

/** Methods for vaults in both versions of the vendor's SDK. The compiler checks that they exist. */
export interface VendorVaults {
  readonly vaults: {
    create(body: { display_name: string; metadata?: Record<string, string> }): Promise<Vault>;
    retrieve(id: string): Promise<Vault>;
    update(id: string, body: { display_name: string }): Promise<Vault>;
    list(query: { limit: number; include_archived?: boolean }): Pages<Vault>;
    archive(id: string): Promise<Vault>;
    delete(id: string): Promise<{ readonly type: string }>;
    readonly credentials: {
      create(vaultId: string, body: { auth: Auth; display_name: string }): Promise<Credential>;
      retrieve(id: string, of: OfVault): Promise<Credential>;
      update(id: string, body: OfVault & { auth: { type: 'static_bearer'; token: string } }): Promise<Credential>;
      list(vaultId: string, query: { limit: number }): Pages<Credential>;
      archive(id: string, of: OfVault): Promise<Credential>;
      delete(id: string, of: OfVault): Promise<{ readonly type: string }>;
      mcpOAuthValidate(id: string, of: OfVault): Promise<{ readonly status: string; readonly mcp_probe: object | null }>;
    };
  };
}

export interface VendorVaultsSdk extends Pick<VendorSdk, 'name' | 'dialect' | 'errors'> {
  /** Creates a client without retries. */
  connect(url: string, key: string): VendorVaults;
}

/** Tests the emulator's vaults with the vendor's code. */
export function describeVendorVaults(sdk: VendorVaultsSdk): void {
  describe(`src/emulator vaults with ${sdk.name}`, () => {
    let emulator: Emulator;
    let vaults: VendorVaults['vaults'];

    beforeEach(async () => {
      emulator = await startEmulator({ dialect: sdk.dialect });
      ({ vaults } = sdk.connect(emulator.url, emulator.key));
    });
    afterEach(() => emulator.stop());

    async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
      const items: T[] = [];
      for await (const item of pages) {
        items.push(item);
      }
      return items;
    }

    it('creates, reads, changes, lists, archives and deletes vaults', async () => {
      const { id } = await vaults.create({ display_name: 'One', metadata: { a: 'b' } });
      await vaults.create({ display_name: 'Two' });
      assert.equal((await vaults.update(id, { display_name: 'First' })).display_name, 'First');
      assert.equal((await vaults.retrieve(id)).display_name, 'First');
      assert.equal((await all(vaults.list({ limit: 1 }))).length, 2);
      assert.ok((await vaults.archive(id)).archived_at);
      assert.equal((await all(vaults.list({ limit: 1 }))).length, 1);
      assert.equal((await all(vaults.list({ limit: 1, include_archived: true }))).length, 2);
      assert.equal((await vaults.delete(id)).type, 'vault_deleted');
      await assert.rejects(vaults.retrieve(id), sdk.errors.NotFoundError);
    });

    it('creates, reads, changes, lists, validates, archives and deletes credentials of every kind', async () => {
      const vault_id = (await vaults.create({ display_name: 'One' })).id;
      const { credentials } = vaults;
      const mcp_server_url = 'https://mcp.example.com';
      const bearer = { type: 'static_bearer', mcp_server_url, token: 'x' } as const;
      const { id } = await credentials.create(vault_id, { display_name: 'a', auth: bearer });
      await assert.rejects(credentials.create(vault_id, { display_name: 'b', auth: bearer }), sdk.errors.ConflictError);
      const networking = { type: 'limited' as const, allowed_hosts: ['api.example.com'] };
      await credentials.create(vault_id, {
        display_name: 'c',
        auth: { type: 'environment_variable', secret_name: 'TOKEN', secret_value: 'x', networking },
      });
      const oauth = await credentials.create(vault_id, {
        display_name: 'd',
        auth: { type: 'mcp_oauth', mcp_server_url: 'https://other.example.com', access_token: 'expired' },
      });
      assert.equal((await credentials.update(id, { vault_id, auth: { type: 'static_bearer', token: 'y' } })).id, id);
      assert.equal((await credentials.retrieve(id, { vault_id })).auth.type, 'static_bearer');
      const listed = await all(credentials.list(vault_id, { limit: 1 }));
      assert.deepEqual(listed.map(({ auth }) => auth.type).sort(), ['environment_variable', 'mcp_oauth', 'static_bearer']);
      const validation = await credentials.mcpOAuthValidate(oauth.id, { vault_id });
      assert.equal(validation.status, 'invalid');
      assert.ok(validation.mcp_probe !== null);
      await assert.rejects(credentials.mcpOAuthValidate(id, { vault_id }), sdk.errors.BadRequestError);
      assert.ok((await credentials.archive(id, { vault_id })).archived_at);
      assert.equal((await credentials.delete(id, { vault_id })).type, 'vault_credential_deleted');
      await assert.rejects(credentials.retrieve(id, { vault_id }), sdk.errors.NotFoundError);
    });
  });
}
