import type { Credential, CredentialValidation, ValidationResponse } from '../../../client/resources/vaults';
import { describeAge, describeMoment, nameOrId, type PresentationContext } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import { ownValue } from '../../../shared/isRecord';
import { join, toLabel } from '../../../shared/text';
import type { Fact, ResourceKind } from '../resourceKind';
import { defineKind, wordOf } from './defineKind';
import { usesOfCredential } from './dependents';

/** Credential with the result of its last validation in this window. */
export type TriedCredential = Credential & { readonly validation?: CredentialValidation };

/** Credentials of a vault. Their secrets can't be read, so rows show their target and their expiry (API facts, section 16). */
export const credentials: ResourceKind<TriedCredential> = defineKind<TriedCredential>({
  kind: 'credential',
  icon: 'key',
  hasArchived: true,
  title: translate => translate('Credentials'),
  calls: ({ vaults }, parent) => vaults.credentials(parent?.id ?? ''),
  name: credentialName,
  row: (credential, context) => {
    const { translate } = context;
    const { state, ...style } = rowStateOf(credential, context);
    const target = targetOf(credential);
    // Problems come first, because the rest may be truncated.
    return {
      words: [
        state,
        kindWords(credential.auth?.type, translate),
        target === credentialName(credential) ? '' : target,
        hostWords(credential, translate),
      ],
      ...style,
      abilities: ['deletable'],
      whileActive: ['archivable', 'rotatable', ...(credential.auth?.type === 'mcp_oauth' ? ['validatable'] : [])],
    };
  },
  time: () => undefined,
  facts: factsOf,
  // A validation result no longer applies after the secret changed.
  carry: (before, now) =>
    before.validation === undefined || now.validation !== undefined || before.updated_at !== now.updated_at
      ? now
      : { ...now, validation: before.validation },
  usedBy: usesOfCredential,
  acts: {
    archive: { detail: translate => translate("The service deletes its secrets, also for running sessions. This can't be undone.") },
    delete: { detail: translate => translate("This can't be undone.") },
  },
});

/** Returns the name of a credential, or its target if it has no name. */
export function credentialName(credential: Credential): string {
  return nameOrId(credential.display_name?.trim() ? credential.display_name : targetOf(credential), credential.id);
}

function rowStateOf(credential: TriedCredential, context: PresentationContext) {
  const { translate, now } = context;
  const { auth, validation } = credential;
  const plain = auth?.type === 'environment_variable' ? 'symbol-variable' : 'key';
  const words = validationWords(validation?.status, translate);
  const since = validation?.validated_at ? describeAge(validation.validated_at, context) : '';
  const tried = words === '' ? '' : join(' ', words, since);
  if (typeof credential.archived_at === 'string') {
    return { state: '' };
  }
  const ends = auth?.expires_at ? describeAge(auth.expires_at, context) : '';
  if (isExpired(credential, now)) {
    return { icon: 'warning', color: 'list.warningForeground', state: join(' · ', translate('expired {0}', ends), tried) };
  }
  const isOver = Date.parse(auth?.expires_at ?? '') <= now;
  const expiry = ends === '' ? '' : isOver ? translate('refreshed automatically') : translate('expires {0}', ends);
  const state = join(' · ', tried, expiry);
  return validation?.status === 'invalid'
    ? { icon: 'error', color: 'list.errorForeground', state }
    : { icon: validation?.status === 'valid' ? 'verified' : plain, color: undefined, state };
}

function hostWords({ auth }: Credential, translate: Translate): string {
  const hosts = auth?.networking?.allowed_hosts ?? [];
  switch (auth?.networking?.type) {
    case undefined:
    case null:
      return '';
    case 'unrestricted':
      return translate('to any host');
    case 'limited':
      return hosts.length === 1 ? translate('to {0}', toLabel(hosts[0] ?? '', 60)) : translate('to {0} hosts', hosts.length);
    default:
      return toLabel(auth?.networking?.type ?? '', 40);
  }
}

function factsOf(credential: TriedCredential, context: PresentationContext): readonly Fact[] {
  const { translate } = context;
  const { auth, validation } = credential;
  const { header, body } = auth?.injection_location ?? {};
  return [
    [translate('Credential type'), kindWords(auth?.type, translate)],
    [translate('Server'), auth?.mcp_server_url ?? ''],
    [translate('Name of the secret'), auth?.secret_name ?? ''],
    [translate('Secret'), translate('Stored by the service. It can be rotated, but not read.')],
    [translate('Sent to'), hostWords(credential, translate)],
    [translate('Allowed hosts'), (auth?.networking?.allowed_hosts ?? []).join(', ')],
    [translate('Sent in'), join(', ', header === true ? translate('Headers') : '', body === true ? translate('Body') : '')],
    [translate('Expires'), describeMoment(auth?.expires_at, context)],
    [translate('Token endpoint'), auth?.refresh?.token_endpoint ?? ''],
    [translate('Client ID'), auth?.refresh?.client_id ?? ''],
    [translate('Scope'), auth?.refresh?.scope ?? ''],
    [translate('Resource'), auth?.refresh?.resource ?? ''],
    [translate('Client authentication'), auth?.refresh?.token_endpoint_auth?.type ?? ''],
    [translate('Last validation'), validation === undefined ? '' : describeMoment(validation.validated_at, context)],
    [translate('Result'), validation === undefined ? '' : describeValidation(credentialName(credential), validation, translate)],
  ];
}

/** Describes the type of a credential briefly. Returns an unknown type verbatim. */
function kindWords(type: string | null | undefined, translate: Translate): string {
  const words = {
    mcp_oauth: translate('OAuth'),
    static_bearer: translate('bearer token'),
    environment_variable: translate('environment variable'),
  };
  return wordOf(words, type);
}

/** Returns the target of a credential: the host and path of its server, or the name of its variable. */
function targetOf({ auth }: Credential): string {
  const url = auth?.mcp_server_url ?? '';
  if (URL.canParse(url)) {
    const { host, pathname } = new URL(url);
    return toLabel(pathname === '/' ? host : host + pathname, 80);
  }
  return toLabel(url || (auth?.secret_name ?? ''), 80);
}

/** Returns whether the secret has expired and nothing renews it. */
function isExpired({ auth }: Credential, now: number): boolean {
  return Date.parse(auth?.expires_at ?? '') <= now && !auth?.refresh;
}

function validationWords(status: string | null | undefined, translate: Translate): string {
  return wordOf({ valid: translate('valid'), invalid: translate('invalid'), unknown: translate('validity unknown') }, status);
}

/** Describes the result of validating the credential `name` in sentences: valid or not, the failed step, and the renewal. */
export function describeValidation(
  name: string,
  { status, mcp_probe: probe, refresh }: CredentialValidation,
  translate: Translate,
): string {
  const verdicts = {
    valid: translate('{0} is valid.', name),
    invalid: translate('The server rejected {0}.', name),
    unknown: translate("The service couldn't check {0}.", name),
  };
  const method = toLabel(probe?.method ?? '?', 60);
  const probed = probe?.http_response
    ? translate('Response to "{0}": {1}.', method, answerWords(probe.http_response))
    : translate('No response to "{0}".', method);
  const renewals = {
    succeeded: translate('The token was refreshed.'),
    failed: refresh?.http_response
      ? translate('Refreshing the token failed ({0}).', answerWords(refresh.http_response))
      : translate('Refreshing the token failed.'),
    connect_error: translate("The token endpoint couldn't be reached."),
    no_refresh_token: translate("There's no refresh token."),
  };
  const renewal = refresh?.status ?? '';
  return join(
    ' ',
    ownValue(verdicts, status ?? '') ?? translate('Message from the service about {0}: {1}.', name, toLabel(status ?? '?', 60)),
    probe ? probed : '',
    renewal === '' ? '' : (ownValue(renewals, renewal) ?? translate('Token refresh: {0}.', toLabel(renewal, 60))),
  );
}

function answerWords({ status_code: status, said }: ValidationResponse & { readonly said?: unknown }): string {
  return join(' ', String(status ?? '?'), typeof said === 'string' ? toLabel(said, 60) : '');
}
