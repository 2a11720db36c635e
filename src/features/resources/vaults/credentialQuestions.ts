import { isIPv4 } from 'node:net';
import * as vscode from 'vscode';
import { askChoice, askText, runSteps } from '../../../common/asking/askSteps';
import type { Translate } from '../../../common/text/translate';
import { toLabel } from '../../../shared/text';

/** Hosts to which a secret may be sent. */
export type Networking = { readonly type: 'unrestricted' } | { readonly type: 'limited'; readonly allowed_hosts: readonly string[] };

/** Parts of a request into which a secret may be inserted. */
export interface Injection {
  readonly header: boolean;
  readonly body: boolean;
}

/** Asks for the URL of a server. `value` is the suggestion. */
export function askUrl(title: string, prompt: string, value: string, canGoBack: boolean): Promise<string> {
  const { t } = vscode.l10n;
  return askText({ title, prompt, value, placeholder: 'https://example.com', canGoBack, validate: text => urlProblem(text, t) });
}

/** Asks for a name. `value` is the suggestion. */
export function askName(title: string, value: string, canGoBack: boolean): Promise<string> {
  const { t } = vscode.l10n;
  return askText({ title, prompt: t('Name'), value, canGoBack, validate: text => nameProblem(text, t) });
}

/** Asks to which hosts a secret may be sent. `before` is the suggestion. */
export async function askNetworking(title: string, before: Networking, canGoBack: boolean): Promise<Networking> {
  const { t } = vscode.l10n;
  let networking = before;
  await runSteps(async () => {
    const isLimited = await askChoice<boolean>({
      title,
      placeholder: t('Allowed hosts'),
      canGoBack,
      active: before.type === 'limited',
      choices: [
        { label: `$(shield) ${t('Only to Hosts You Choose')}`, value: true },
        { label: `$(globe) ${t('To Any Host')}`, detail: t('Code in a session can send the secret anywhere'), value: false },
      ],
    });
    networking = { type: 'unrestricted' };
    return isLimited
      ? async () => {
          const text = await askText({
            title,
            prompt: t('Hosts, separated by commas, such as *.example.com'),
            value: before.type === 'limited' ? before.allowed_hosts.join(', ') : '',
            placeholder: 'api.example.com, *.example.org',
            canGoBack: true,
            validate: hosts => hostsProblem(hosts, t),
          });
          networking = { type: 'limited', allowed_hosts: hostsOf(text) };
          return undefined;
        }
      : undefined;
  });
  return networking;
}

/** Asks into which parts of a request a secret may be inserted. */
export async function askInjection(title: string, before: Injection, canGoBack: boolean): Promise<Injection> {
  const { t } = vscode.l10n;
  const targets = {
    header: { header: true, body: false },
    body: { header: false, body: true },
    both: { header: true, body: true },
  } as const;
  const active = before.header && before.body ? 'both' : before.body ? 'body' : 'header';
  const target = await askChoice<keyof typeof targets>({
    title,
    placeholder: t('Select where the secret is sent'),
    canGoBack,
    active,
    choices: [
      { label: t('Headers'), value: 'header' },
      { label: t('Body'), value: 'body' },
      { label: t('Headers and Body'), value: 'both' },
    ],
  });
  return targets[target];
}

/** Asks when a token expires. `undefined` if the user does not know. */
export async function askExpiry(title: string, before: string | undefined, canGoBack: boolean): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const example = '2027-01-31T12:00:00Z';
  const prompt = t('Expiration, such as {0}. Leave empty if unknown.', example);
  const text = await askText({
    title,
    prompt,
    value: before ?? '',
    placeholder: example,
    canGoBack,
    validate: time => (time.trim() === '' || timeOf(time) !== undefined ? undefined : prompt),
  });
  return timeOf(text);
}

export interface SecretQuestion {
  readonly title: string;
  readonly prompt: string;
  /** Maximum length in characters. */
  readonly most: number;
  readonly canGoBack: boolean;
}

/**
 * Asks for one secret in a password box, or reads it from an environment variable of the extension's machine that the user names. The
 * secret is never stored. Rejects with a `CancelledError` if the user cancels.
 */
export async function askSecret({ title, prompt, most, canGoBack }: SecretQuestion): Promise<string> {
  const { t } = vscode.l10n;
  let secret = '';
  await runSteps(async () => {
    const isTyped = await askChoice<boolean>({
      title,
      placeholder: prompt,
      canGoBack,
      choices: [
        { label: `$(key) ${t('Enter Secret')}`, detail: t('Hidden, sent to the service only'), value: true },
        {
          label: `$(symbol-variable) ${t('Use Environment Variable')}`,
          detail: t('Must be set when VS Code starts'),
          value: false,
        },
      ],
    });
    return async () => {
      const validate = (text: string) => secretProblem(text, most, t);
      secret = isTyped ? await askText({ title, prompt, password: true, canGoBack: true, validate }) : await fromEnvironment(title, most);
      return undefined;
    };
  });
  return secret;
}

async function fromEnvironment(title: string, most: number): Promise<string> {
  const { t } = vscode.l10n;
  const names = Object.keys(process.env).filter(name => process.env[name]);
  const name = await askChoice({
    title,
    placeholder: t('Name of the environment variable'),
    canGoBack: true,
    choices: names.sort((a, b) => a.localeCompare(b)).map(value => ({ label: toLabel(value, 100), value })),
  });
  const value = process.env[name] ?? '';
  const problem = secretProblem(value, most, t);
  if (problem !== undefined) {
    throw new Error(t("The value isn't valid. {0}", problem));
  }
  return value;
}

/** Limits of the service (API facts, section 16). */
const maxHosts = 16;
const maxInUrl = 2047;
const maxInName = 255;

/** Explains why a text is not a valid server URL. Returns `undefined` if it is valid. */
export function urlProblem(text: string, translate: Translate): string | undefined {
  const tooLong = lengthProblem(text, maxInUrl, translate);
  if (tooLong !== undefined) {
    return tooLong;
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return translate('Enter a URL that starts with https://');
  }
  return url.username === '' && url.password === '' ? undefined : translate('Remove keys, user names and parameters from the address.');
}

/** Explains why a text is not a valid name. Returns `undefined` if it is valid. */
export function nameProblem(text: string, translate: Translate): string | undefined {
  return text.trim() === '' ? translate('Enter a name') : lengthProblem(text, maxInName, translate);
}

/** Explains why a text is not a valid secret, without quoting it. Returns `undefined` if it is valid. */
export function secretProblem(text: string, most: number, translate: Translate): string | undefined {
  if (text === '') {
    return translate('Enter some text');
  }
  return text.trim() === text ? lengthProblem(text, most, translate) : translate('Remove spaces and invisible characters.');
}

/** Returns the message for a text that is too long for a service. `undefined` if the text is short enough. */
export function lengthProblem(text: string, most: number, translate: Translate): string | undefined {
  return text.length > most ? translate('Use at most {0} characters.', most) : undefined;
}

/** Splits a text into hosts at commas and spaces, without duplicates. */
export function hostsOf(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,]+/).filter(host => host !== ''))];
}

/** Explains why a list of hosts is not valid. Returns `undefined` if it is valid. */
export function hostsProblem(text: string, translate: Translate): string | undefined {
  const hosts = hostsOf(text);
  if (hosts.length === 0) {
    return translate('Hosts, separated by commas, such as *.example.com');
  }
  if (hosts.length > maxHosts) {
    return translate('Use at most {1} hosts.', hosts.length, maxHosts);
  }
  const wrong = hosts.find(host => !isHost(host));
  return wrong === undefined ? undefined : translate("{0} isn't a host name, IPv4 address or *.example.com.", toLabel(wrong, 60));
}

function isHost(host: string): boolean {
  const plain = host.startsWith('*.') ? host.slice(2) : host;
  return isIPv4(host) || (plain.length <= 253 && plain.split('.').every(label => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/i.test(label)));
}

/** Converts a time to RFC 3339 as the service accepts it. Returns `undefined` if the text is not a time. */
export function timeOf(text: string): string | undefined {
  const trimmed = text.trim();
  const time = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/i.test(trimmed)
    ? Date.parse(trimmed)
    : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
