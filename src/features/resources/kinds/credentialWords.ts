import type { Credential, CredentialValidation, ValidationResponse } from '../../../client/schemas/vaults';
import { join } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import { toLabel } from '../../../shared/text';

/** Describes the type of a credential briefly. Returns an unknown type verbatim. */
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

/** Returns the target of a credential: the host and path of its server, or the name of its variable. */
export function targetOf({ auth }: Credential): string {
  const url = auth?.mcp_server_url ?? '';
  if (URL.canParse(url)) {
    const { host, pathname } = new URL(url);
    return toLabel(pathname === '/' ? host : host + pathname, 80);
  }
  return toLabel(url || (auth?.secret_name ?? ''), 80);
}

/** Returns whether the secret has expired and nothing renews it. */
export function isExpired({ auth }: Credential, now: number): boolean {
  return Date.parse(auth?.expires_at ?? '') <= now && !auth?.refresh;
}

/** Returns the result of the last validation in a word. Returns '' if there was none. */
export function validationWords(status: string | null | undefined, translate: Translate): string {
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

/** Describes the result of validating the credential `name` in sentences: valid or not, the failed step, and the renewal. */
export function describeValidation(name: string, validation: CredentialValidation, translate: Translate): string {
  return join(
    ' ',
    validationSentence(name, validation, translate),
    probeSentence(validation, translate),
    refreshSentence(validation, translate),
  );
}

function validationSentence(name: string, { status }: CredentialValidation, translate: Translate): string {
  switch (status) {
    case 'valid':
      return translate('{0} is valid.', name);
    case 'invalid':
      return translate('The server refused {0}.', name);
    case 'unknown':
      return translate("The service couldn't check {0}.", name);
    default:
      return translate('Message from the service about {0}: {1}.', name, toLabel(status ?? '?', 60));
  }
}

function probeSentence({ mcp_probe: probe }: CredentialValidation, translate: Translate): string {
  if (!probe) {
    return '';
  }
  const method = toLabel(probe.method ?? '?', 60);
  return probe.http_response
    ? translate('Response to "{0}": {1}.', method, answerWords(probe.http_response))
    : translate('No response to "{0}".', method);
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
        ? translate('Renewing the token failed ({0}).', answerWords(refresh.http_response))
        : translate('Renewing the token failed.');
    case 'connect_error':
      return translate("The token endpoint couldn't be reached.");
    case 'no_refresh_token':
      return translate("There's no refresh token.");
    default:
      return translate('Renewing the token: {0}.', toLabel(refresh?.status ?? '', 60));
  }
}

function answerWords({ status_code: status, said }: ValidationResponse & { readonly said?: unknown }): string {
  return join(' ', String(status ?? '?'), typeof said === 'string' ? toLabel(said, 60) : '');
}
