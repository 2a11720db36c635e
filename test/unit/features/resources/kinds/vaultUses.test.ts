import assert from 'node:assert/strict';
import type { ServiceClient } from '../../../../../src/client/serviceClient';
import { usesOfCredential, usesOfVault } from '../../../../../src/features/resources/kinds/vaultUses';
import { context } from '../presenting';

const { signal } = new AbortController();
const list = (...items: readonly object[]) => ({ list: async () => ({ items, nextCursor: undefined }) });

describe('features/resources/vaults/vaultUses', () => {
  it('counts the active credentials of a vault, and names its sessions and deployments', async () => {
    const client = {
      vaults: { credentials: () => list({ id: 'c1' }, { id: 'c2' }, { id: 'c3', archived_at: '2026-01-01T00:00:00Z' }) },
      sessions: list({ id: 's1', title: 'Locked out', vault_ids: ['v1'] }, { id: 's2', title: 'Elsewhere', vault_ids: ['v2'] }),
      deployments: list({ id: 'd1', name: 'Nightly', vault_ids: ['v1'] }),
    } as unknown as ServiceClient;
    const uses = await usesOfVault(client, { connection: 'Lab', kind: 'vault', id: 'v1' }, signal);
    assert.equal(uses(context), 'Credentials: 2. Used by sessions: Locked out. Used by deployments: Nightly.');
  });

  it('names the agents that have the server of a credential, and nothing of one for no server', async () => {
    const url = 'https://mcp.example.com/issues';
    const clientOf = (auth: object) =>
      ({
        vaults: { credentials: () => ({ retrieve: async () => ({ data: { id: 'c1', auth } }) }) },
        agents: list({ id: 'a1', name: 'Researcher', mcp_servers: [{ url }] }, { id: 'a2', name: 'Other', mcp_servers: [] }),
      }) as unknown as ServiceClient;
    const credential = { connection: 'Lab', kind: 'credential', id: 'c1', parent: { connection: 'Lab', kind: 'vault', id: 'v1' } };
    const usesOf = async (auth: object) => (await usesOfCredential(clientOf(auth), credential, signal))(context);
    assert.equal(await usesOf({ mcp_server_url: url }), 'Used by agents: Researcher.');
    assert.equal(await usesOf({ mcp_server_url: 'https://other.example' }), '');
    assert.equal(await usesOf({ type: 'environment_variable' }), '');
  });
});
