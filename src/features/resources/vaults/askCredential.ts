import * as vscode from 'vscode';
import { askChoice, askText, runQuestions } from '../../../common/asking/askSteps';
import {
  askExpiry,
  askInjection,
  askName,
  askNetworking,
  askSecret,
  askUrl,
  type Injection,
  lengthProblem,
  nameProblem,
  type Networking,
} from './credentialQuestions';
import type { Vault } from '../../../client/schemas/vaults';
import { warnOfIgnored } from '../../../common/asking/warnOfIgnored';
import { withoutIcons } from '../../../common/text/withoutIcons';
import type { Reference } from '../../../contributions';
import { credentials } from '../kinds/credentials';
import { vaults } from '../kinds/vaults';
import { toGone } from '../lists/performAct';
import { listOf, referenceOf, type ResourceFlow, retrieve } from '../resourceFlow';

type AuthType = 'mcp_oauth' | 'static_bearer' | 'environment_variable';
/** Way to renew an OAuth token: none, or a refresh token with the client authentication of its token endpoint. */
type Renewal = 'nothing' | 'none' | 'client_secret_basic' | 'client_secret_post';

interface Answers {
  type: AuthType;
  target: string;
  name: string;
  secret: string;
  networking: Networking;
  injection: Injection;
  expiresAt: string | undefined;
  renewal: Renewal;
  endpoint: string;
  clientId: string;
  scope: string;
  clientSecret: string;
  refreshToken: string;
}

/**
 * Asks for all fields of a new credential, each secret in its own input box. Returns the body of the create request. Rejects with a
 * `CancelledError` if the user cancels.
 */
export async function askCredential(title: string, serverUrl: string | undefined): Promise<object> {
  const answers: Answers = {
    type: 'static_bearer',
    target: serverUrl ?? '',
    name: '',
    secret: '',
    networking: { type: 'limited', allowed_hosts: [] },
    injection: { header: true, body: false },
    expiresAt: undefined,
    renewal: 'nothing',
    endpoint: '',
    clientId: '',
    scope: '',
    clientSecret: '',
    refreshToken: '',
  };
  const about = aboutTarget(title, answers, serverUrl === undefined);
  const oauth = oauthQuestions(title, answers);
  const variable = variableQuestions(title, answers);
  await runQuestions(() => [
    ...about,
    ...(answers.type === 'environment_variable' ? variable : []),
    async canGoBack => {
      answers.secret = await askSecret({ title, ...secretOf(answers.type), canGoBack });
    },
    ...(answers.type === 'mcp_oauth' ? oauth() : []),
  ]);
  return { display_name: answers.name, auth: authOf(answers) };
}

function aboutTarget(title: string, answers: Answers, mayBeVariable: boolean) {
  const { t } = vscode.l10n;
  const variable = {
    label: `$(symbol-variable) ${t('Environment Variable of Sessions')}`,
    detail: t('Sent to hosts that you choose. Sessions see only its name.'),
    value: 'environment_variable' as const,
  };
  return [
    async (canGoBack: boolean) => {
      answers.type = await askChoice<AuthType>({
        title,
        placeholder: t('Select a kind'),
        canGoBack,
        active: answers.type,
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
    },
    async (canGoBack: boolean) => {
      answers.target =
        answers.type === 'environment_variable'
          ? await askText({
              title,
              prompt: t('Name of the environment variable'),
              value: answers.target.includes('/') ? '' : answers.target,
              placeholder: 'API_TOKEN',
              canGoBack,
              validate: text => nameProblem(text, t),
            })
          : await askUrl(title, t('Address of the MCP server'), answers.target, canGoBack);
    },
    async (canGoBack: boolean) => {
      const { name, target } = answers;
      answers.name = await askName(title, name || (URL.canParse(target) ? new URL(target).host : target), canGoBack);
    },
  ];
}

function variableQuestions(title: string, answers: Answers) {
  return [
    async (canGoBack: boolean) => {
      answers.networking = await askNetworking(title, answers.networking, canGoBack);
    },
    async (canGoBack: boolean) => {
      answers.injection = await askInjection(title, answers.injection, canGoBack);
    },
  ];
}

function oauthQuestions(title: string, answers: Answers) {
  const { t } = vscode.l10n;
  const expiry = async (canGoBack: boolean) => {
    answers.expiresAt = await askExpiry(title, answers.expiresAt ?? '', canGoBack);
  };
  const renewal = async (canGoBack: boolean) => {
    answers.renewal = await askRenewal(title, answers.renewal, canGoBack);
  };
  const client = [
    async (canGoBack: boolean) => {
      answers.endpoint = await askUrl(title, t('Token endpoint'), answers.endpoint, canGoBack);
    },
    async (canGoBack: boolean) => {
      const validate = (text: string) => (text === '' ? t('Enter some text') : lengthProblem(text, 1024, t));
      answers.clientId = await askText({ title, prompt: t('Client ID'), value: answers.clientId, canGoBack, validate });
    },
    async (canGoBack: boolean) => {
      const validate = (text: string) => lengthProblem(text, 8192, t);
      answers.scope = await askText({ title, prompt: t('Scope'), value: answers.scope, canGoBack, validate });
    },
  ];
  const clientSecret = async (canGoBack: boolean) => {
    answers.clientSecret = await askSecret({ title, prompt: t('Client secret'), most: 512, canGoBack });
  };
  const refreshToken = async (canGoBack: boolean) => {
    answers.refreshToken = await askSecret({ title, prompt: t('Refresh token'), most: 4096, canGoBack });
  };
  return () => [
    expiry,
    renewal,
    ...(answers.renewal === 'nothing' ? [] : [...client, ...(answers.renewal === 'none' ? [] : [clientSecret]), refreshToken]),
  ];
}

function askRenewal(title: string, active: Renewal, canGoBack: boolean): Promise<Renewal> {
  const { t } = vscode.l10n;
  return askChoice<Renewal>({
    title,
    placeholder: t('Select how the token is refreshed'),
    canGoBack,
    active,
    choices: [
      { label: t('Nothing'), detail: t('You rotate it'), value: 'nothing' },
      { label: t('A Refresh Token'), detail: t('Without a client secret'), value: 'none' },
      {
        label: t('A Refresh Token and a Client Secret'),
        detail: t('Sent in a header ({0})', 'client_secret_basic'),
        value: 'client_secret_basic',
      },
      {
        label: t('A Refresh Token and a Client Secret in the Body'),
        detail: t('Sent in the body ({0})', 'client_secret_post'),
        value: 'client_secret_post',
      },
    ],
  });
}

/** Returns the prompt for the secret of a credential type, and its maximum length in characters (API facts, section 16). */
export function secretOf(type: AuthType): { readonly prompt: string; readonly most: number } {
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
 * Asks for a credential and adds it to a vault. `serverUrl` is the server that it is for, if known. Its secrets are not stored on this
 * machine.
 */
export async function addCredential(flow: ResourceFlow, target: unknown, serverUrl?: string): Promise<void> {
  flow.service.demand('userToChange');
  const { t } = vscode.l10n;
  const vault = await referenceOf(flow, vaultIn(target), [vaults], 'fillable');
  const reached = await flow.service.reach(vault.connection, 'userToChange');
  const name = vaults.name((await retrieve(flow, reached, vault)) as Vault);
  const params = await askCredential(t('Add a Credential to {0}', withoutIcons(name)), serverUrl);
  try {
    const answer = await reached.client.vaults.credentials(vault.id).create(params);
    const { data } = answer;
    flow.store.put({ connection: vault.connection, kind: credentials.kind, parent: vault }, data);
    vscode.window.setStatusBarMessage(t('Added {0}', withoutIcons(credentials.name(data))), 5000);
    warnOfIgnored(credentials.name(data), answer);
  } catch (error) {
    throw toGone(listOf(flow, vault), vault.id, error);
  }
  await flow.store.listOf(vault.connection, credentials, vault).refresh();
}

/** Returns the vault that a row stands for: itself, or the parent of its credential. */
function vaultIn(target: unknown): Reference | undefined {
  const { kind, parent } = (target ?? {}) as Partial<Reference>;
  return kind === credentials.kind && parent !== undefined ? parent : (target as Reference | undefined);
}
