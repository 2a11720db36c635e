import * as z from 'zod';
import { isRecord } from '../../shared/isRecord';
import { jsonOf } from '../../shared/jsonOf';
import { contractSecrets } from '../../shared/secretFields';
import type { CallOptions } from '../transport/callResult';
import { changeableFields, identity, metadataSchema, optionalTexts, timeFields } from '../transport/commonFields';
import type { Transport } from '../transport/transport';
import { type ArchiveFilter, createCrud } from './crud';
import { callForObject } from './resource';

/** Collection of credentials (API facts, section 16). Only `id` is required. */
const vaultSchema = z.looseObject({
  ...identity('vault'),
  display_name: z.string().nullish(),
  ...changeableFields,
});
export type Vault = z.infer<typeof vaultSchema>;

/** Fields that hold a secret, at any depth of a credential. */
const secretFields: ReadonlySet<string> = new Set(['token', ...contractSecrets]);

/** Removes the secret fields of a credential. No service should return secrets, and the extension doesn't need them. */
function withoutSecrets<T>(value: T): T {
  if (Array.isArray(value)) {
    return value.map(withoutSecrets) as T;
  }
  if (!isRecord(value)) {
    return value;
  }
  const fields = Object.entries(value).filter(([name]) => !secretFields.has(name));
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutSecrets(field)])) as T;
}

/** Returns the secrets in the body that creates or updates a credential. */
function secretsIn(params: unknown): readonly string[] {
  if (typeof params !== 'object' || params === null) {
    return [];
  }
  return Object.entries(params).flatMap(([name, field]) =>
    typeof field === 'string' && secretFields.has(name) && field !== '' ? [field] : secretsIn(field),
  );
}

/**
 * Purpose of a credential: a server (`mcp_oauth`, `static_bearer`) or a variable (`environment_variable`). Any other `type` is accepted.
 */
const credentialAuthSchema = z
  .looseObject({
    ...optionalTexts('type', 'mcp_server_url', 'expires_at', 'secret_name'),
    refresh: z
      .looseObject({
        ...optionalTexts('token_endpoint', 'client_id', 'scope', 'resource'),
        token_endpoint_auth: z.looseObject({ type: z.string().nullish() }).nullish(),
      })
      .nullish(),
    networking: z.looseObject({ type: z.string().nullish(), allowed_hosts: z.array(z.string()).nullish() }).nullish(),
    /** Parts of a request that contain the secret. Some servers leave out this field. */
    injection_location: z.looseObject({ header: z.boolean().nullish(), body: z.boolean().nullish() }).nullish(),
  })
  .transform(withoutSecrets);

/** Credential of a vault, without its secrets (API facts, section 16). Only `id` is required. */
const credentialSchema = z
  .looseObject({
    ...identity('vault_credential'),
    ...optionalTexts('vault_id', 'display_name'),
    metadata: metadataSchema.nullish(),
    auth: credentialAuthSchema.nullish(),
    ...timeFields,
  })
  .transform(({ metadata, ...rest }) => ({ ...withoutSecrets(rest), ...(metadata === undefined ? {} : { metadata }) }));
export type Credential = z.infer<typeof credentialSchema>;

/**
 * Response of a server to a validation attempt. Only the error code of the body is preserved, as `said`, because a token endpoint can
 * return a token.
 */
const validationResponseSchema = z
  .looseObject({
    status_code: z.number().nullish(),
    ...optionalTexts('content_type', 'body'),
    body_truncated: z.boolean().nullish(),
  })
  .transform(({ body, ...rest }) => {
    const errorCode = errorIn(body ?? '');
    return { ...rest, ...(errorCode === '' ? {} : { said: errorCode }) };
  });
export type ValidationResponse = z.infer<typeof validationResponseSchema>;

/** Result of validating a credential (API facts, section 16). */
const credentialValidationSchema = z.looseObject({
  type: z.string().default('vault_credential_validation'),
  ...optionalTexts('credential_id', 'validated_at'),
  /** `valid`, `invalid`, `unknown` or any other string. */
  status: z.string().nullish(),
  has_refresh_token: z.boolean().nullish(),
  mcp_probe: z.looseObject({ method: z.string().nullish(), http_response: validationResponseSchema.nullish() }).nullish(),
  /** `status` is `succeeded`, `failed`, `connect_error`, `no_refresh_token` or any other string. */
  refresh: z.looseObject({ status: z.string().nullish(), http_response: validationResponseSchema.nullish() }).nullish(),
});
export type CredentialValidation = z.infer<typeof credentialValidationSchema>;

/**
 * Returns the OAuth error code (RFC 6749, 5.2) or a service's own code. Returns an empty string if the body has no code. Never returns a
 * description, because it can quote the token.
 */
function errorIn(body: string): string {
  const value = jsonOf(body);
  const error = isRecord(value) ? value.error : undefined;
  const code = isRecord(error) ? (error.type ?? error.code) : error;
  return typeof code === 'string' && /^[a-z][a-z_]{0,60}$/i.test(code) ? code : '';
}

const filters = { includeArchived: 'include_archived' } as const;

/**
 * Creates the calls for vaults, collections of credentials that sessions use (API facts, section 16). Archiving a vault archives its
 * credentials.
 */
export function createVaults(transport: Transport) {
  const table = { group: 'vaults', path: '/vaults', schema: vaultSchema, type: 'vault', filters } as const;
  const vaults = createCrud<typeof vaultSchema, ArchiveFilter>(transport, table);
  return {
    ...vaults.calls,
    /**
     * Credentials of a vault. Secrets can only be written. No result or error of these calls contains a secret. An update can't change the
     * kind, the server, or the name of a secret.
     */
    credentials: (vaultId: string) => {
      const within = { vault_id: vaultId };
      const credentials = createCrud<typeof credentialSchema, ArchiveFilter>(transport, {
        group: 'vaults',
        path: vaults.below(vaultId, '/credentials'),
        schema: credentialSchema,
        type: 'vault_credential',
        within,
        filters,
        secretsOf: secretsIn,
      });
      return {
        ...credentials.calls,
        /** Makes the service validate the token of an OAuth credential with the server, and test the refresh. */
        validate: async (id: string, options?: CallOptions) =>
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
