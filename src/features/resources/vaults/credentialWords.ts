import type { Credential, CredentialValidation, TriedAnswer } from '../../../client/schemas/vaults';
import { join } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import { toLabel } from '../../../shared/text';

/** What a credential is, in a few words; a kind that is not known by its own name. */
export function kindWords(type: string | null | undefined, translate: Translate): string {
  switch (type) {
    case 'mcp_oauth':
      return translate('OAuth');
    case 'static_bearer':
      return translate('bearer token');
    case 'environment_variable':
      return translate('environment variable');
    default:
      return toLabel(type ?? '', 40);
  }
}

/** What a credential is for: the host and path of its server, or the name of its secret. */
export function targetOf({ auth }: Credential): string {
  const url = auth?.mcp_server_url ?? '';
  if (URL.canParse(url)) {
    const { host, pathname } = new URL(url);
    return toLabel(pathname === '/' ? host : host + pathname, 80);
  }
  return toLabel(url || (auth?.secret_name ?? ''), 80);
}

/** Whether its secret is no good any more by the time it says, and nothing renews it. */
export function isExpired({ auth }: Credential, now: number): boolean {
  return Date.parse(auth?.expires_at ?? '') <= now && !auth?.refresh;
}

/** How the last try went, in a word; empty where there was none. */
export function verdictWords(status: string | null | undefined, translate: Translate): string {
  switch (status) {
    case undefined:
    case null:
      return '';
    case 'valid':
      return translate('valid');
    case 'invalid':
      return translate('invalid');
    case 'unknown':
      return translate('validity unknown');
    default:
      return toLabel(status, 40);
  }
}

/** What the service found when it tried the credential `name`, in sentences: the verdict, the step that failed, the renewal. */
export function describeValidation(name: string, validation: CredentialValidation, translate: Translate): string {
  return join(
    ' ',
    verdictSentence(name, validation, translate),
    probeSentence(validation, translate),
    refreshSentence(validation, translate),
  );
}

function verdictSentence(name: string, { status }: CredentialValidation, translate: Translate): string {
  switch (status) {
    case 'valid':
      return translate('{0} is valid: the server accepted it.', name);
    case 'invalid':
      return translate('{0} is not valid: the server refused it.', name);
    case 'unknown':
      return translate('It is not known whether {0} is valid: the service could not find out.', name);
    default:
      return translate('The service says of {0}: {1}.', name, toLabel(status ?? '?', 60));
  }
}

function probeSentence({ mcp_probe: probe }: CredentialValidation, translate: Translate): string {
  if (!probe) {
    return '';
  }
  const method = toLabel(probe.method ?? '?', 60);
  return probe.http_response
    ? translate('Its answer to "{0}" was {1}.', method, answerWords(probe.http_response))
    : translate('It gave no answer to "{0}".', method);
}

function refreshSentence({ refresh }: CredentialValidation, translate: Translate): string {
  switch (refresh?.status) {
    case undefined:
    case null:
      return '';
    case 'succeeded':
      return translate('The token was renewed.');
    case 'failed':
      return refresh?.http_response
        ? translate('Renewing the token failed: its endpoint answered {0}.', answerWords(refresh.http_response))
        : translate('Renewing the token failed.');
    case 'connect_error':
      return translate('The endpoint that renews the token could not be reached.');
    case 'no_refresh_token':
      return translate('There is no refresh token to renew it with.');
    default:
      return translate('Renewing the token: {0}.', toLabel(refresh?.status ?? '', 60));
  }
}

function answerWords({ status_code: status, said }: TriedAnswer & { readonly said?: unknown }): string {
  return join(' ', String(status ?? '?'), typeof said === 'string' ? toLabel(said, 60) : '');
}
