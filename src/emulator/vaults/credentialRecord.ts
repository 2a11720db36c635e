import { isIPv6 } from 'node:net';
import * as z from 'zod';
import { isRecord } from '../../shared/isRecord';
import { invalidRequest } from '../http/apiError';
import { metadataPatchSchema, metadataSchema, toTime, toWire } from '../http/toWire';
import { archivableShape } from '../state/recordStore';

/** Host names, IPv4 addresses and `*.example.com`, but no IPv6 (API facts, section 16). */
const hostSchema = z.string().refine(host => /^(?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(host) && !isIPv6(host), {
  error: 'must be a host name, an IPv4 address or a *.-prefixed wildcard',
});
const networkingSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('unrestricted') }),
  z.object({ type: z.literal('limited'), allowed_hosts: z.array(hostSchema).min(1).max(16) }),
]);
const injectionSchema = z.object({ header: z.boolean(), body: z.boolean() });

const secret = (most: number) => z.string().min(1).max(most);
const urlSchema = z
  .string()
  .max(2047)
  .refine(text => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), { error: 'must be a valid URL' });
const timeSchema = z.iso.datetime({ offset: true });

const clientSecret = secret(512);
const refreshSchema = z.object({
  refresh_token: secret(4096),
  token_endpoint: urlSchema,
  client_id: z.string().min(1).max(1024),
  scope: z.string().min(1).max(8192).nullable().default(null),
  resource: urlSchema.nullable().default(null),
  token_endpoint_auth: z.discriminatedUnion('type', [
    z.object({ type: z.literal('none') }),
    z.object({ type: z.literal('client_secret_basic'), client_secret: clientSecret }),
    z.object({ type: z.literal('client_secret_post'), client_secret: clientSecret }),
  ]),
});

const createAuthSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('mcp_oauth'),
    mcp_server_url: urlSchema,
    access_token: secret(8192),
    expires_at: timeSchema.nullish(),
    refresh: refreshSchema.nullish(),
  }),
  z.object({ type: z.literal('static_bearer'), mcp_server_url: urlSchema, token: secret(8192) }),
  z.object({
    type: z.literal('environment_variable'),
    secret_name: z.string().min(1).max(255),
    secret_value: secret(4096),
    networking: networkingSchema,
    injection_location: injectionSchema.partial().optional(),
  }),
]);

const updateAuthSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('mcp_oauth'),
    access_token: secret(8192).nullish(),
    expires_at: timeSchema.nullish(),
    refresh: z
      .strictObject({
        refresh_token: secret(4096).nullish(),
        scope: z
          .string()
          .max(8192)
          .transform(text => text || null)
          .nullish(),
        token_endpoint_auth: z
          .strictObject({ type: z.enum(['client_secret_basic', 'client_secret_post']), client_secret: clientSecret.nullish() })
          .optional(),
      })
      .nullish(),
  }),
  z.strictObject({ type: z.literal('static_bearer'), token: secret(8192).nullish() }),
  z.strictObject({
    type: z.literal('environment_variable'),
    secret_value: secret(4096).nullish(),
    networking: networkingSchema.nullish(),
    injection_location: injectionSchema.partial().optional(),
  }),
]);

const nameSchema = z.string().min(1).max(255);

export const createVaultSchema = z.object({ display_name: nameSchema, metadata: metadataSchema.optional() });
export const updateVaultSchema = z.object({ display_name: nameSchema.nullish(), metadata: metadataPatchSchema.optional() });

/** Body of a create (API facts, section 16). */
export const createCredentialSchema = z.object({
  auth: createAuthSchema,
  display_name: z.string().max(255).nullish(),
  metadata: metadataSchema.optional(),
});
export type CreateCredentialParams = z.infer<typeof createCredentialSchema>;

/** Body of an update. Absent fields stay unchanged, and immutable fields are not in the schema. */
export const updateCredentialSchema = z.object({
  auth: updateAuthSchema.optional(),
  display_name: nameSchema.nullish(),
  metadata: metadataPatchSchema.optional(),
});
export type UpdateCredentialParams = z.infer<typeof updateCredentialSchema>;

/** Result of validating a secret, derived from words in the secret. The secret itself is not stored. */
const verdictSchema = z.enum(['works', 'refused']);
type Verdict = z.infer<typeof verdictSchema>;

export const credentialRecordSchema = z.object({
  ...archivableShape,
  vaultId: z.string(),
  displayName: z.string().nullable(),
  /** As returned by the service. */
  auth: z.looseObject({ type: z.string() }),
  /** Server or variable that the credential is for. A vault has at most one active credential per server or variable. */
  key: z.string(),
  /** Verdicts on the token and on its refresh token. Null if the credential is archived or has no such token. */
  token: verdictSchema.nullable(),
  refreshToken: verdictSchema.nullable(),
});
export type CredentialRecord = Readonly<z.infer<typeof credentialRecordSchema>>;

/** Returns the verdict on a secret: one that contains `expired` or `invalid` is refused. */
function verdictOf(secret: string): Verdict {
  return /expired|invalid/i.test(secret) ? 'refused' : 'works';
}

type CreateAuth = CreateCredentialParams['auth'];
type AuthParts = Pick<CredentialRecord, 'auth' | 'key' | 'token' | 'refreshToken'>;

/** Fields of each kind that a create can leave out. */
const defaults = {
  mcp_oauth: { expires_at: null, refresh: null },
  static_bearer: {},
  environment_variable: { injection_location: { header: true, body: false } },
};

/** Returns the parts of `auth` to store from a create: all but its secrets. Throws a 400 for a secret that could not be sent anywhere. */
export function toAuth(auth: CreateAuth): AuthParts {
  const key = auth.type === 'environment_variable' ? auth.secret_name : auth.mcp_server_url;
  return withAuth({ auth: { type: auth.type, ...defaults[auth.type] }, key, token: null, refreshToken: null }, auth);
}

/**
 * Returns the parts to store after an update of `auth`. Throws a 400 if the type changes or the credential has no refresh data to update.
 */
export function changedAuth(old: CredentialRecord, auth: UpdateCredentialParams['auth']): AuthParts {
  const { key, token, refreshToken } = old;
  const parts = { auth: old.auth, key, token, refreshToken };
  if (auth === undefined) {
    return parts;
  }
  if (auth.type !== old.auth.type) {
    throw invalidRequest('auth.type: is immutable');
  }
  if (auth.type === 'mcp_oauth' && auth.refresh && old.auth.refresh === null) {
    throw invalidRequest('auth.refresh: the credential has no refresh configuration');
  }
  return withAuth(parts, auth);
}

type ChangedAuth = CreateAuth | NonNullable<UpdateCredentialParams['auth']>;

function withAuth({ auth: before, key, token, refreshToken }: AuthParts, auth: ChangedAuth): AuthParts {
  const after: AuthParts['auth'] = { ...before };
  for (const [name, value] of Object.entries(withoutSecrets(auth))) {
    const old = before[name];
    if (isRecord(old) && isRecord(value) && name !== 'networking') {
      after[name] = { ...old, ...value };
    } else if (value !== null || !isRecord(old)) {
      // Null leaves an object unchanged.
      after[name] = value;
    }
  }
  const { injection_location: injection } = after;
  if (isRecord(injection) && injection.header === false && injection.body === false) {
    throw invalidRequest('auth.injection_location: at least one of header and body must be true');
  }
  const secret = auth.type === 'mcp_oauth' ? auth.access_token : auth.type === 'static_bearer' ? auth.token : auth.secret_value;
  const refresh = auth.type === 'mcp_oauth' ? auth.refresh?.refresh_token : undefined;
  return { auth: after, key, token: secret ? verdictOf(secret) : token, refreshToken: refresh ? verdictOf(refresh) : refreshToken };
}

const secretNames: ReadonlySet<string> = new Set(['access_token', 'token', 'secret_value', 'refresh_token', 'client_secret']);

function withoutSecrets(value: object): Readonly<Record<string, unknown>> {
  const shown = Object.entries(value).filter(([name]) => !secretNames.has(name));
  return Object.fromEntries(shown.map(([name, field]) => [name, isRecord(field) ? withoutSecrets(field) : field]));
}

export function toCredential({ key: _, token: __, refreshToken: ___, ...shown }: CredentialRecord): object {
  return toWire('vault_credential', shown);
}

const answered = (status: number, error?: string) => ({
  status_code: status,
  content_type: 'application/json',
  body: JSON.stringify(error === undefined ? {} : { error }),
  body_truncated: false,
});

/**
 * Validates an OAuth credential. A server under `.invalid` can't be reached, and a token that is refused or expired is refreshed if
 * possible. Throws a 400 for other kinds of credentials.
 */
export function tryCredential(record: CredentialRecord, now: number) {
  const { auth } = record;
  if (auth.type !== 'mcp_oauth') {
    throw invalidRequest('mcp_oauth_validate is only supported for mcp_oauth credentials');
  }
  if (record.archivedAt !== null) {
    throw invalidRequest('archived credentials cannot be validated');
  }
  const hasRefresh = record.refreshToken !== null;
  const result = (status: 'valid' | 'invalid' | 'unknown', probe: object | null, refresh: object | null) => ({
    type: 'vault_credential_validation',
    credential_id: record.id,
    vault_id: record.vaultId,
    status,
    validated_at: toTime(now),
    has_refresh_token: hasRefresh,
    mcp_probe: probe,
    refresh,
  });
  const probe = (response: object | null) => ({ method: 'initialize', http_response: response });
  if (new URL(String(auth.mcp_server_url)).hostname.endsWith('.invalid')) {
    return result('unknown', probe(null), null);
  }
  const isExpired = typeof auth.expires_at === 'string' && Date.parse(auth.expires_at) <= now;
  if (record.token === 'works' && !isExpired) {
    return result('valid', null, null);
  }
  if (record.refreshToken === 'works') {
    return result('valid', null, { status: 'succeeded', http_response: answered(200) });
  }
  const refresh = hasRefresh
    ? { status: 'failed', http_response: answered(400, 'invalid_grant') }
    : { status: 'no_refresh_token', http_response: null };
  return result('invalid', probe(answered(401, 'invalid_token')), refresh);
}
