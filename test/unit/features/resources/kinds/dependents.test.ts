import assert from 'node:assert/strict';
import type { ServiceClient } from '../../../../../src/client/serviceClient';
import { ServiceError } from '../../../../../src/client/transport/errors';
import {
  dependentsOf,
  deploymentsOfAgent,
  describeUses,
  usesOfCredential,
  usesOfVault,
} from '../../../../../src/features/resources/kinds/dependents';
import { context } from '../presenting';

const inEnvironment = {
  session: ({ environment_id: id }: { environment_id?: string | null | undefined }) => id === 'env_1',
  deployment: ({ environment_id: id }: { environment_id?: string | null | undefined }) => id === 'env_1',
};

interface Item {
  readonly id: string;
  readonly title?: string;
  readonly name?: string;
  readonly environment_id?: string;
  readonly agent?: { readonly id: string };
  readonly archived_at?: string;
}

/** Returns a client with these pages of sessions and deployments. Without pages, a list responds with 404. */
function serving(sessions: readonly (readonly Item[])[] | undefined, deployments: readonly (readonly Item[])[] | undefined): ServiceClient {
  const list = (pages: readonly (readonly Item[])[] | undefined) => async (options: { cursor?: string }) => {
    if (pages === undefined) {
      throw new ServiceError('no such group', { kind: 'not_found', outcome: 'refused', method: 'GET', host: 'h', path: '/', status: 404 });
    }
    const at = Number(options.cursor ?? 0);
    return { items: pages[at] ?? [], nextCursor: at + 1 < pages.length ? String(at + 1) : undefined };
  };
  return { sessions: { list: list(sessions) }, deployments: { list: list(deployments) } } as unknown as ServiceClient;
}

const told = (client: ServiceClient) => dependentsOf(client, inEnvironment, context);

describe('features/resources/kinds/dependents', () => {
  it('names the users of a resource from every page, except archived ones', async () => {
    const here = { environment_id: 'env_1' };
    const sessions = [
      [
        { id: 's1', title: 'One', ...here },
        { id: 's2', title: 'Elsewhere', environment_id: 'env_2' },
      ],
      [
        { id: 's3', ...here },
        { id: 's4', title: 'Old', archived_at: '2026-01-01T00:00:00Z', ...here },
      ],
    ];
    const deployments = [[{ id: 'd1', name: 'Nightly', ...here }]];
    assert.equal(await told(serving(sessions, deployments)), 'Used by sessions: One, s3. Used by deployments: Nightly.');
  });

  it('counts the users that it does not name', async () => {
    const many = Array.from({ length: 8 }, (_, at) => ({ id: `s${at}`, environment_id: 'env_1' }));
    assert.equal(await told(serving([many], [[]])), 'Used by sessions: s0, s1, s2, s3, s4, and 3 more.');
  });

  it('ignores an unsupported group', async () => {
    assert.equal(await told(serving(undefined, undefined)), '');
  });

  it('names deployments that are archived with an agent, if there are any', async () => {
    const deployments = [
      [
        { id: 'd1', name: 'Nightly', agent: { id: 'agent_1' } },
        { id: 'd2', name: 'Other', agent: { id: 'agent_2' } },
      ],
    ];
    const tell = (id: string) => deploymentsOfAgent(serving([[]], deployments), { connection: 'Lab', kind: 'agent', id }, context);
    assert.deepEqual([await tell('agent_1'), await tell('agent_3')], ['Also archives these deployments: Nightly.', '']);
  });

  it("doesn't prevent an action because the users couldn't be read", async () => {
    const usedBy = () => Promise.reject(new Error('The service is away'));
    const reference = { connection: 'Lab', kind: 'environment', id: 'env_1' };
    const words = await describeUses({ usedBy }, serving(undefined, undefined), reference, context);
    assert.equal(words, "Couldn't check for sessions and deployments that use it: The service is away");
  });
});

const list = (...items: readonly object[]) => ({ list: async () => ({ items, nextCursor: undefined }) });

describe('features/resources/kinds/dependents vaultUses', () => {
  it("counts a vault's active credentials, and names its sessions and deployments", async () => {
    const client = {
      vaults: { credentials: () => list({ id: 'c1' }, { id: 'c2' }, { id: 'c3', archived_at: '2026-01-01T00:00:00Z' }) },
      sessions: list({ id: 's1', title: 'Locked out', vault_ids: ['v1'] }, { id: 's2', title: 'Elsewhere', vault_ids: ['v2'] }),
      deployments: list({ id: 'd1', name: 'Nightly', vault_ids: ['v1'] }),
    } as unknown as ServiceClient;
    const uses = await usesOfVault(client, { connection: 'Lab', kind: 'vault', id: 'v1' }, context);
    assert.equal(uses, 'Credentials: 2. Used by sessions: Locked out. Used by deployments: Nightly.');
  });

  it("names the agents with a credential's server, and none without a server", async () => {
    const url = 'https://mcp.example.com/issues';
    const clientOf = (auth: object) =>
      ({
        vaults: { credentials: () => ({ retrieve: async () => ({ data: { id: 'c1', auth } }) }) },
        agents: list({ id: 'a1', name: 'Researcher', mcp_servers: [{ url }] }, { id: 'a2', name: 'Other', mcp_servers: [] }),
      }) as unknown as ServiceClient;
    const credential = { connection: 'Lab', kind: 'credential', id: 'c1', parent: { connection: 'Lab', kind: 'vault', id: 'v1' } };
    const usesOf = (auth: object) => usesOfCredential(clientOf(auth), credential, context);
    assert.equal(await usesOf({ mcp_server_url: url }), 'Used by agents: Researcher.');
    assert.equal(await usesOf({ mcp_server_url: 'https://other.example' }), '');
    assert.equal(await usesOf({ type: 'environment_variable' }), '');
  });
});
