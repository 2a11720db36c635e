import * as z from 'zod';
import { invalidRequest } from '../http/apiError';
import { toTime } from '../http/wireTime';
import { archivableShape, toWire } from '../state/recordStore';
import type { CreateCredentialParams, UpdateCredentialParams } from './credentialParams';

/** Result of validating a secret, derived from the words in it. The secret itself is not stored. */
const verdictSchema = z.enum(['works', 'refused']);
export type Verdict = z.infer<typeof verdictSchema>;

const injectionSchema = z.object({ header: z.boolean(), body: z.boolean() });

export const credentialRecordSchema = z.object({
  ...archivableShape,
  vaultId: z.string(),
  displayName: z.string().nullable(),
  /** As returned by the service. */
  auth: z.looseObject({ type: z.string() }),
  /** Server or name that the credential is for. A vault has at most one active credential for each. */
  key: z.string(),
  /** Verdicts on the token and on its refresh token. Null if there is none, or none any more. */
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

/**
 * Returns the parts of a create's `auth` to store: everything except its secrets. Throws a 400 for a secret that could not be sent
 * anywhere.
 */
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

/** Returns the parts to store after an update of `auth`. Throws a 400 for another kind, and for a refresh of a credential without one. */
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

/** Converts a credential to its response form, without secrets. */
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
