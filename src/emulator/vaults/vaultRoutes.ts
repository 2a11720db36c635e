import { checkBody } from '../http/bodyCheck';
import { kindRoutes, unlessArchived } from '../http/kindRoutes';
import { type Route, routesBelow } from '../http/matchRoute';
import { createCredentialSchema, createVaultSchema, updateCredentialSchema, updateVaultSchema } from './credentialParams';
import { toCredential } from './credentialRecord';
import { toVault, type VaultState } from './vaultState';

const limits = { normal: 20, most: 100 };
const filters = ['include_archived'];

/** Returns the routes of `/v1/vaults` and the credentials below them (API facts, section 16). */
export function vaultRoutes(vaults: VaultState, strict: boolean): readonly Route[] {
  const path = '/v1/vaults';
  const below = `${path}/:id/credentials`;
  const vaultTable = {
    group: 'vaults',
    path,
    filters,
    limits,
    create: (body: unknown) => toVault(vaults.create(checkBody(createVaultSchema, body))),
    list: (query: URLSearchParams) => unlessArchived(query, vaults.list()).map(toVault),
    retrieve: (id: string) => toVault(vaults.get(id)),
    update: (id: string, body: unknown) => toVault(vaults.update(id, checkBody(updateVaultSchema, body))),
    archive: (id: string) => toVault(vaults.archive(id)),
    delete: async (id: string) => {
      await vaults.delete(id);
      return 'vault_deleted';
    },
  } as const;
  const credentialTable = {
    group: 'vaults',
    name: 'vaults.credentials',
    path: below,
    filters,
    limits,
    create: (body: unknown, vault: string) => toCredential(vaults.createCredential(vault, checkBody(createCredentialSchema, body))),
    list: (query: URLSearchParams, vault: string) => unlessArchived(query, vaults.listCredentials(vault)).map(toCredential),
    retrieve: (id: string, _: URLSearchParams, vault: string) => toCredential(vaults.getCredential(vault, id)),
    update: (id: string, body: unknown, vault: string) =>
      toCredential(vaults.updateCredential(vault, id, checkBody(updateCredentialSchema, body))),
    archive: (id: string, vault: string) => toCredential(vaults.archiveCredential(vault, id)),
    delete: async (id: string, vault: string) => {
      await vaults.deleteCredential(vault, id);
      return 'vault_credential_deleted';
    },
  } as const;
  return [
    ...kindRoutes(vaultTable, strict),
    ...kindRoutes(credentialTable, strict),
    routesBelow('vaults.credentials', below, 'vaults')('POST', 'validate', '/:childId/mcp_oauth_validate', async (exchange, vault, id) =>
      exchange.sendJson(vaults.validate(vault, id)),
    ),
  ];
}
