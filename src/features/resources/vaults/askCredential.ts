import * as vscode from 'vscode';
import { askChoice, askText, runQuestions } from '../../../common/asking/askSteps';
import { warnOfIgnored } from '../../../common/asking/warnOfIgnored';
import { withoutIcons } from '../../../common/text/withoutIcons';
import type { Reference } from '../../../contributions';
import { credentials } from '../kinds/credentials';
import { vaults } from '../kinds/vaults';
import { type ResourceFlow, resourceToChange, unlessGone } from '../resourceFlow';
import {
  askExpiry,
  askInjection,
  askName,
  askNetworking,
  askSecret,
  askUrl,
  type Injection,
  lengthProblem,
  type Networking,
  nameProblem,
  type SecretQuestion,
} from './credentialQuestions';

type AuthType = 'mcp_oauth' | 'static_bearer' | 'environment_variable';
/** Way to renew an OAuth token: none, or a refresh token with the client authentication of its token endpoint. */
type Renewal = 'nothing' | 'none' | 'client_secret_basic' | 'client_secret_post';

type Answers = ReturnType<typeof emptyAnswers>;
type Ask<T> = (title: string, before: T, canGoBack: boolean) => Promise<T>;

function emptyAnswers(target: string) {
  return {
    type: 'static_bearer' as AuthType,
    target,
    name: '',
    secret: '',
    networking: { type: 'limited', allowed_hosts: [] } as Networking,
    injection: { header: true, body: false } as Injection,
    expiresAt: undefined as string | undefined,
    renewal: 'nothing' as Renewal,
    endpoint: '',
    clientId: '',
    scope: '',
    clientSecret: '',
    refreshToken: '',
  };
}

/**
 * Asks for all fields of a new credential, each secret in its own input box. Returns the body of the create request. Rejects with a
 * `CancelledError` if the user cancels.
 */
export async function askCredential(title: string, serverUrl: string | undefined): Promise<object> {
  const { t } = vscode.l10n;
  const answers = emptyAnswers(serverUrl ?? '');
  const question =
    <K extends keyof Answers>(key: K, ask: Ask<Answers[K]>) =>
    async (canGoBack: boolean) => {
      answers[key] = await ask(title, answers[key], canGoBack);
    };
  const url =
    (prompt: string): Ask<string> =>
    (_, before, canGoBack) =>
      askUrl(title, prompt, before, canGoBack);
  const limited =
    (prompt: string, max: number, isRequired: boolean): Ask<string> =>
    (_, value, canGoBack) => {
      const validate = (text: string) => (isRequired && text === '' ? t('Enter some text') : lengthProblem(text, max, t));
      return askText({ title, prompt, value, canGoBack, validate });
    };
  const secret =
    (prompt: string, most: number): Ask<string> =>
    (_, __, canGoBack) =>
      askSecret({ title, prompt, most, canGoBack });
  await runQuestions(() => {
    const { type, target, renewal } = answers;
    const isVariable = type === 'environment_variable';
    const { prompt, most } = secretOf(type);
    const host = URL.canParse(target) ? new URL(target).host : target;
    const renewing = [
      question('endpoint', url(t('Token endpoint'))),
      question('clientId', limited(t('Client ID'), 1024, true)),
      question('scope', limited(t('Scope'), 8192, false)),
      ...(renewal === 'none' ? [] : [question('clientSecret', secret(t('Client secret'), 512))]),
      question('refreshToken', secret(t('Refresh token'), 4096)),
    ];
    return [
      question('type', (_, before, canGoBack) => askType(title, before, serverUrl === undefined, canGoBack)),
      question('target', isVariable ? askVariable : url(t('Address of the MCP server'))),
      question('name', (_, before, canGoBack) => askName(title, before || host, canGoBack)),
      ...(isVariable ? [question('networking', askNetworking), question('injection', askInjection)] : []),
      question('secret', secret(prompt, most)),
      ...(type === 'mcp_oauth' ? [question('expiresAt', askExpiry), question('renewal', askRenewal)] : []),
      ...(type === 'mcp_oauth' && renewal !== 'nothing' ? renewing : []),
    ];
  });
  return { display_name: answers.name, auth: authOf(answers) };
}

function askType(title: string, active: AuthType, mayBeVariable: boolean, canGoBack: boolean): Promise<AuthType> {
  const { t } = vscode.l10n;
  const variable = {
    label: `$(symbol-variable) ${t('Environment Variable of Sessions')}`,
    detail: t('Sent to hosts that you choose. Sessions see only its name.'),
    value: 'environment_variable' as const,
  };
  return askChoice<AuthType>({
    title,
    placeholder: t('Select a type'),
    canGoBack,
    active,
    choices: [
      {
        label: `$(key) ${t('Bearer Token of an MCP Server')}`,
        detail: t('A fixed token, such as a personal access token'),
        value: 'static_bearer',
      },
      {
        label: `$(sync) ${t('OAuth Token of an MCP Server')}`,
        detail: t('A token that is refreshed automatically'),
        value: 'mcp_oauth',
      },
      ...(mayBeVariable ? [variable] : []),
    ],
  });
}

function askVariable(title: string, before: string, canGoBack: boolean): Promise<string> {
  const { t } = vscode.l10n;
  return askText({
    title,
    prompt: t('Name of the environment variable'),
    value: before.includes('/') ? '' : before,
    placeholder: 'API_TOKEN',
    canGoBack,
    validate: text => nameProblem(text, t),
  });
}

function askRenewal(title: string, active: Renewal, canGoBack: boolean): Promise<Renewal> {
  const { t } = vscode.l10n;
  return askChoice<Renewal>({
    title,
    placeholder: t('Select how the token is refreshed'),
    canGoBack,
    active,
    choices: [
      { label: t('Not Refreshed'), detail: t('Rotate it yourself'), value: 'nothing' },
      { label: t('Refresh Token'), detail: t('Without a client secret'), value: 'none' },
      {
        label: t('Refresh Token and Client Secret'),
        detail: t('Sent in a header ({0})', 'client_secret_basic'),
        value: 'client_secret_basic',
      },
      {
        label: t('Refresh Token and Client Secret in Body'),
        detail: t('Sent in the body ({0})', 'client_secret_post'),
        value: 'client_secret_post',
      },
    ],
  });
}

/** Returns the prompt for the secret of a credential type, and its maximum length in characters (API facts, section 16). */
export function secretOf(type: AuthType): Pick<SecretQuestion, 'prompt' | 'most'> {
  const { t } = vscode.l10n;
  const secrets: Readonly<Record<AuthType, ReturnType<typeof secretOf>>> = {
    static_bearer: { prompt: t('Enter a token'), most: 8192 },
    mcp_oauth: { prompt: t('Access token'), most: 8192 },
    environment_variable: { prompt: t('Secret'), most: 4096 },
  };
  return secrets[type];
}

function authOf(answers: Answers): object {
  const { type, target, secret, expiresAt, renewal, endpoint, clientId, scope, clientSecret, refreshToken } = answers;
  switch (type) {
    case 'static_bearer':
      return { type, mcp_server_url: target, token: secret };
    case 'environment_variable': {
      const { networking, injection } = answers;
      return { type, secret_name: target, networking, injection_location: injection, secret_value: secret };
    }
    case 'mcp_oauth': {
      const refresh = {
        token_endpoint: endpoint,
        client_id: clientId,
        ...(scope === '' ? {} : { scope }),
        token_endpoint_auth: renewal === 'none' ? { type: renewal } : { type: renewal, client_secret: clientSecret },
        refresh_token: refreshToken,
      };
      return {
        type,
        mcp_server_url: target,
        access_token: secret,
        ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
        ...(renewal === 'nothing' ? {} : { refresh }),
      };
    }
  }
}

/**
 * Asks for a credential and adds it to a vault. `serverUrl` is the server that the credential is for, if known. Secrets are not stored on
 * this machine.
 */
export async function addCredential(flow: ResourceFlow, target: unknown, serverUrl?: string): Promise<void> {
  const { t } = vscode.l10n;
  const { reference: vault, reached, value } = await resourceToChange(flow, vaultIn(target), vaults, 'fillable');
  const params = await askCredential(t('Add Credential to {0}', withoutIcons(vaults.name(value))), serverUrl);
  const response = await unlessGone(flow, vault, () => reached.client.vaults.credentials(vault.id).create(params));
  const { data } = response;
  flow.store.put({ connection: vault.connection, kind: credentials.kind, parent: vault }, data);
  vscode.window.setStatusBarMessage(t('Added {0}', withoutIcons(credentials.name(data))), 5000);
  warnOfIgnored(credentials.name(data), response);
  await flow.store.listOf(vault.connection, credentials, vault).refresh();
}

/** Returns the vault of a row. The row shows a vault or one of its credentials. */
function vaultIn(target: unknown): Reference | undefined {
  const { kind, parent } = (target ?? {}) as Partial<Reference>;
  return kind === credentials.kind && parent !== undefined ? parent : (target as Reference | undefined);
}
