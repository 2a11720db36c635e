import * as z from 'zod';
import { isRecord } from '../../shared/isRecord';
import { contractSecrets } from '../../shared/secretFields';
import { metadataSchema } from './metadata';

/** A collection of credentials (API facts, section 16). Only `id` is demanded. */
export const vaultSchema = z.looseObject({
  id: z.string().min(1),
  type: z.string().default('vault'),
  display_name: z.string().nullish(),
  metadata: metadataSchema.nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  archived_at: z.string().nullish(),
});
export type Vault = z.infer<typeof vaultSchema>;

/** Fields that hold a secret wherever they stand in a credential. */
const secretFields: ReadonlySet<string> = new Set(['token', ...contractSecrets]);

/** A value without the fields of a credential that hold secrets: no service should answer them, and nobody here wants to see them. */
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

/** The secrets in the body that makes or changes a credential. */
export function secretsIn(params: unknown): readonly string[] {
  if (typeof params !== 'object' || params === null) {
    return [];
  }
  return Object.entries(params).flatMap(([name, field]) =>
    typeof field === 'string' && secretFields.has(name) && field !== '' ? [field] : secretsIn(field),
  );
}

/** What a credential is for: a server (`mcp_oauth`, `static_bearer`) or a name (`environment_variable`); any other `type` is kept. */
export const credentialAuthSchema = z
  .looseObject({
    type: z.string().nullish(),
    mcp_server_url: z.string().nullish(),
    expires_at: z.string().nullish(),
    refresh: z
      .looseObject({
        token_endpoint: z.string().nullish(),
        client_id: z.string().nullish(),
        scope: z.string().nullish(),
        resource: z.string().nullish(),
        token_endpoint_auth: z.looseObject({ type: z.string().nullish() }).nullish(),
      })
      .nullish(),
    secret_name: z.string().nullish(),
    networking: z.looseObject({ type: z.string().nullish(), allowed_hosts: z.array(z.string()).nullish() }).nullish(),
    /** A server may leave it out. */
    injection_location: z.looseObject({ header: z.boolean().nullish(), body: z.boolean().nullish() }).nullish(),
  })
  .transform(withoutSecrets);
export type CredentialAuth = z.infer<typeof credentialAuthSchema>;

/** A credential of a vault, without its secrets (API facts, section 16). Only `id` is demanded. */
export const credentialSchema = z
  .looseObject({
    id: z.string().min(1),
    type: z.string().default('vault_credential'),
    vault_id: z.string().nullish(),
    display_name: z.string().nullish(),
    metadata: metadataSchema.nullish(),
    auth: credentialAuthSchema.nullish(),
    created_at: z.string().nullish(),
    updated_at: z.string().nullish(),
    archived_at: z.string().nullish(),
  })
  .transform(({ metadata, ...rest }) => ({ ...withoutSecrets(rest), ...(metadata === undefined ? {} : { metadata }) }));
export type Credential = z.infer<typeof credentialSchema>;

/** What a server answered to a try. Of the body only the code of an error is kept, as `said`: what a token endpoint answers can be a token. */
export const triedAnswerSchema = z
  .looseObject({
    status_code: z.number().nullish(),
    content_type: z.string().nullish(),
    body: z.string().nullish(),
    body_truncated: z.boolean().nullish(),
  })
  .transform(({ body, ...rest }) => {
    const said = errorIn(body ?? '');
    return { ...rest, ...(said === '' ? {} : { said }) };
  });
export type TriedAnswer = z.infer<typeof triedAnswerSchema>;

/** How the try of a credential went (API facts, section 16). */
export const credentialValidationSchema = z.looseObject({
  type: z.string().default('vault_credential_validation'),
  credential_id: z.string().nullish(),
  /** `valid`, `invalid` or `unknown`; any other is kept. */
  status: z.string().nullish(),
  validated_at: z.string().nullish(),
  has_refresh_token: z.boolean().nullish(),
  mcp_probe: z.looseObject({ method: z.string().nullish(), http_response: triedAnswerSchema.nullish() }).nullish(),
  /** `status`: `succeeded`, `failed`, `connect_error` or `no_refresh_token`; any other is kept. */
  refresh: z.looseObject({ status: z.string().nullish(), http_response: triedAnswerSchema.nullish() }).nullish(),
});
export type CredentialValidation = z.infer<typeof credentialValidationSchema>;

/**
 * The code of an OAuth error (RFC 6749, 5.2) or of a service's own; empty where a body has none. Only a code: a description can quote the
 * token it is about.
 */
function errorIn(body: string): string {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return '';
  }
  const error = isRecord(value) ? value.error : undefined;
  const code = isRecord(error) ? (error.type ?? error.code) : error;
  return typeof code === 'string' && /^[a-z][a-z_]{0,60}$/i.test(code) ? code : '';
}
