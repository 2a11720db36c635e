import * as z from 'zod';
import { invalidRequest } from '../http/apiError';
import { toTime, toTimeOrNull } from '../http/wireTime';
import type { CreateCredentialParams, UpdateCredentialParams } from './credentialParams';

/** What becomes of a secret when it is tried: the words in it decide. The secret itself is not kept. */
const verdictSchema = z.enum(['works', 'refused']);
export type Verdict = z.infer<typeof verdictSchema>;

const injectionSchema = z.object({ header: z.boolean(), body: z.boolean() });

export const credentialRecordSchema = z.object({
  id: z.string(),
  /** Place in the order of creation. */
  sequence: z.number(),
  vaultId: z.string(),
  displayName: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  /** As the service shows it. */
  auth: z.looseObject({ type: z.string() }),
  /** Of the server or the name that it is for: one active credential of a vault can have it. */
  key: z.string(),
  /** Of the token, and of the one that renews it; null where there is none, or none any more. */
  token: verdictSchema.nullable(),
  refreshToken: verdictSchema.nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
  archivedAt: z.number().nullable(),
});
export type CredentialRecord = Readonly<z.infer<typeof credentialRecordSchema>>;

/** What a secret is good for: one with `expired` or `invalid` in it for nothing. */
function verdictOf(secret: string): Verdict {
  return /expired|invalid/i.test(secret) ? 'refused' : 'works';
}

type CreateAuth = CreateCredentialParams['auth'];
type AuthParts = Pick<CredentialRecord, 'auth' | 'key' | 'token' | 'refreshToken'>;

/** What is kept of the `auth` of a create: everything but its secrets. Throws a 400 for a secret that could go nowhere. */
export function toAuth(auth: CreateAuth): AuthParts {
  switch (auth.type) {
    case 'mcp_oauth': {
      const { type, mcp_server_url, expires_at, refresh } = auth;
      const shown =
        refresh === undefined || refresh === null
          ? null
          : {
              token_endpoint: refresh.token_endpoint,
              client_id: refresh.client_id,
              scope: refresh.scope ?? null,
              resource: refresh.resource ?? null,
              token_endpoint_auth: { type: refresh.token_endpoint_auth.type },
            };
      return {
        auth: { type, mcp_server_url, expires_at: expires_at ?? null, refresh: shown },
        key: mcp_server_url,
        token: verdictOf(auth.access_token),
        refreshToken: refresh ? verdictOf(refresh.refresh_token) : null,
      };
    }
    case 'static_bearer': {
      const { type, mcp_server_url, token } = auth;
      return { auth: { type, mcp_server_url }, key: mcp_server_url, token: verdictOf(token), refreshToken: null };
    }
    case 'environment_variable': {
      const { type, secret_name, networking, injection_location, secret_value } = auth;
      const injection = injected({ header: true, body: false }, injection_location);
      return {
        auth: { type, secret_name, networking, injection_location: injection },
        key: secret_name,
        token: verdictOf(secret_value),
        refreshToken: null,
      };
    }
  }
}

/** What is kept once a part of the `auth` was changed. Throws a 400 for another kind, and for the renewal of what has none. */
export function changedAuth(old: CredentialRecord, auth: UpdateCredentialParams['auth']): AuthParts {
  const { key, token, refreshToken } = old;
  if (auth === undefined) {
    return { auth: old.auth, key, token, refreshToken };
  }
  if (auth.type !== old.auth.type) {
    throw invalidRequest('auth.type: is immutable');
  }
  const renewed = (secret: string | null | undefined) => (secret ? verdictOf(secret) : token);
  switch (auth.type) {
    case 'mcp_oauth': {
      const { access_token, expires_at, refresh } = auth;
      const before = old.auth.refresh as Readonly<Record<string, unknown>> | null;
      if (refresh && before === null) {
        throw invalidRequest('auth.refresh: the credential has no refresh configuration');
      }
      const scope = refresh?.scope === undefined ? {} : { scope: refresh.scope || null };
      const authentication = refresh?.token_endpoint_auth ? { token_endpoint_auth: { type: refresh.token_endpoint_auth.type } } : {};
      return {
        auth: {
          ...old.auth,
          ...(expires_at === undefined ? {} : { expires_at }),
          refresh: before === null ? null : { ...before, ...scope, ...authentication },
        },
        key,
        token: renewed(access_token),
        refreshToken: refresh?.refresh_token ? verdictOf(refresh.refresh_token) : refreshToken,
      };
    }
    case 'static_bearer':
      return { auth: old.auth, key, token: renewed(auth.token), refreshToken };
    case 'environment_variable': {
      const before = injectionSchema.parse(old.auth.injection_location);
      return {
        auth: {
          ...old.auth,
          ...(auth.networking ? { networking: auth.networking } : {}),
          injection_location: injected(before, auth.injection_location),
        },
        key,
        token: renewed(auth.secret_value),
        refreshToken,
      };
    }
  }
}

type Injection = z.infer<typeof injectionSchema>;

function injected(before: Injection, wanted: { readonly header?: boolean | undefined; readonly body?: boolean | undefined } | undefined) {
  const after = { header: wanted?.header ?? before.header, body: wanted?.body ?? before.body };
  if (!after.header && !after.body) {
    throw invalidRequest('auth.injection_location: at least one of header and body must be true');
  }
  return after;
}

/** What the service shows of a credential: never a secret. */
export function toCredential(record: CredentialRecord) {
  return {
    id: record.id,
    type: 'vault_credential',
    vault_id: record.vaultId,
    display_name: record.displayName,
    metadata: record.metadata,
    auth: record.auth,
    created_at: toTime(record.createdAt),
    updated_at: toTime(record.updatedAt),
    archived_at: toTimeOrNull(record.archivedAt),
  };
}

const answered = (status: number, error?: string) => ({
  status_code: status,
  content_type: 'application/json',
  body: JSON.stringify(error === undefined ? {} : { error }),
  body_truncated: false,
});

/**
 * How a try of an OAuth credential goes: a server under `.invalid` cannot be reached, and a token that is refused or has run out is renewed
 * where it can be. Throws a 400 for what is no OAuth credential.
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
  const told = (status: 'valid' | 'invalid' | 'unknown', probe: object | null, refresh: object | null) => ({
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
    return told('unknown', probe(null), null);
  }
  const isOver = typeof auth.expires_at === 'string' && Date.parse(auth.expires_at) <= now;
  if (record.token === 'works' && !isOver) {
    return told('valid', null, null);
  }
  if (record.refreshToken === 'works') {
    return told('valid', null, { status: 'succeeded', http_response: answered(200) });
  }
  const refresh = hasRefresh
    ? { status: 'failed', http_response: answered(400, 'invalid_grant') }
    : { status: 'no_refresh_token', http_response: null };
  return told('invalid', probe(answered(401, 'invalid_token')), refresh);
}
