import { credentialSchema, credentialValidationSchema, secretsIn, vaultSchema } from '../schemas/vaults';
import type { Vaults } from '../serviceClient';
import type { Transport } from '../transport/transport';
import { createCrud } from './crud';
import { callForObject } from './resource';

const filters = { includeArchived: 'include_archived' } as const;

/** Creates the calls for vaults and their credentials (API facts, section 16). */
export function createVaults(transport: Transport): Vaults {
  const vaults = createCrud(transport, { group: 'vaults', path: '/vaults', schema: vaultSchema, type: 'vault', filters });
  return {
    ...vaults,
    credentials: vaultId => {
      const path = vaults.below(vaultId, '/credentials');
      const within = { vault_id: vaultId };
      const table = {
        group: 'vaults',
        path,
        schema: credentialSchema,
        type: 'vault_credential',
        within,
        filters,
        secretsOf: secretsIn,
      } as const;
      const credentials = createCrud(transport, table);
      return {
        ...credentials,
        validate: async (id, options) =>
          callForObject(transport, credentialValidationSchema, {
            method: 'POST',
            group: 'vaults',
            path: credentials.below(id, '/mcp_oauth_validate'),
            about: { type: 'vault_credential_validation', id, idFields: ['credential_id'], within },
            signal: options?.signal,
          }),
      };
    },
  };
}
