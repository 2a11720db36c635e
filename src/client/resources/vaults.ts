import { credentialSchema, credentialValidationSchema, secretsIn, vaultSchema } from '../schemas/vaults';
import type { Vaults } from '../serviceClient';
import type { Transport } from '../transport/transport';
import { createCrud } from './crud';
import { callForObject, pathSegment } from './resource';

const filters = { includeArchived: 'include_archived' } as const;

/** Vaults and their credentials over a transport (API facts, section 16). */
export function createVaults(transport: Transport): Vaults {
  const vaults = createCrud(transport, { group: 'vaults', path: '/vaults', schema: vaultSchema, filters });
  return {
    ...vaults,
    credentials: vaultId => {
      const path = vaults.below(vaultId, '/credentials');
      const credentials = createCrud(transport, { group: 'vaults', path, schema: credentialSchema, filters, secretsOf: secretsIn });
      return {
        ...credentials,
        validate: async (id, options) =>
          callForObject(transport, credentialValidationSchema, {
            method: 'POST',
            group: 'vaults',
            path: `${path}/${pathSegment(id)}/mcp_oauth_validate`,
            signal: options?.signal,
          }),
      };
    },
  };
}
