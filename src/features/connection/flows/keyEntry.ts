import * as vscode from 'vscode';
import { type BaseUrl, parseBaseUrl } from '../../../client/transport/baseUrl';
import { askChoice, askText, type Choice, type Question, separator } from '../../../common/asking/askSteps';
import { showWarning } from '../../../common/asking/notifications';
import type { Log } from '../../../common/log';
import type { Translate } from '../../../common/text/translate';
import { describeBaseUrlProblem } from '../connectionSettings';
import { KeyNotStoredError, type KeyStore } from '../keyStore';
import type { ConnectionProblem, Remedy } from '../probing/probeFinding';

/** Asks for an API key in a password box. `origin` has the scheme, host and port that the key will be sent to. */
export async function askKey(question: Question & { readonly origin: string; readonly value?: string }): Promise<string> {
  const t = vscode.l10n.t;
  const text = await askText({
    ...question,
    password: true,
    prompt: t('Tested now, sent only to {0}, stored securely', question.origin),
    placeholder: t('API key'),
    validate: value => keyProblem(value, t),
  });
  return text.trim();
}

const longestKey = 4096;

/**
 * Explains why a text can't be an API key, without quoting it. Returns `undefined` for a valid key. White space around the key is allowed.
 */
export function keyProblem(text: string, t: Translate): string | undefined {
  const key = text.trim();
  if (key === '') {
    return t('Enter the API key');
  }
  if (/^(?:x-api-key\s*:|authorization\s*:|bearer\s)/i.test(key)) {
    return t('Enter only the key, without "Bearer".');
  }
  if (/\s/.test(key)) {
    return t('Remove spaces and invisible characters.');
  }
  return /[^\x21-\x7e]/.test(key) || key.length > longestKey ? t("This isn't a valid key.") : undefined;
}

/**
 * Stores a key. If the secret storage fails, the user can keep the key for this window. It is never stored elsewhere. Returns false if the
 * key was not stored or kept.
 */
export async function storeKey(
  keys: KeyStore,
  name: string,
  credential: { readonly key: string; readonly origin: string },
  log: Log,
): Promise<boolean> {
  try {
    await keys.save(name, credential);
    return true;
  } catch (error) {
    if (!(error instanceof KeyNotStoredError)) {
      throw error;
    }
    log.error(`Could not store the API key of connection "${name}"`, error);
  }
  const keep = vscode.l10n.t('Keep for This Window');
  const message = vscode.l10n.t('Couldn\'t store the API key of "{0}". You can keep it until this window closes.', name);
  if ((await showWarning(message, keep, vscode.l10n.t('Discard'))) !== keep) {
    return false;
  }
  keys.keepForThisWindow(name, credential);
  return true;
}

/** Asks for a base URL until it is valid. Rejects with `CancelledError` on Escape. */
export async function askAddress(question: Question & { readonly value: string | undefined }): Promise<BaseUrl> {
  const t = vscode.l10n.t;
  const text = await askText({
    ...question,
    prompt: t('Enter an address such as https://agents.example.com'),
    placeholder: 'https://agents.example.com',
    validate: address => {
      const parsed = parseBaseUrl(address);
      return typeof parsed === 'string' ? describeBaseUrlProblem(parsed, t) : undefined;
    },
  });
  return parseBaseUrl(text) as BaseUrl;
}

/** Asks whether to allow plain http to this host. The safe choice has the focus. */
export async function askInsecureHttp(question: Question, baseUrl: BaseUrl): Promise<boolean> {
  const t = vscode.l10n.t;
  const answer = await askChoice<'change' | 'allow'>({
    ...question,
    placeholder: t("Plain http isn't encrypted"),
    choices: [
      { label: `$(edit) ${t('Change Address')}`, description: t('encrypted'), value: 'change' },
      { label: `$(unlock) ${t('Allow Plain http for {0}', baseUrl.host)}`, description: t('for trusted networks only'), value: 'allow' },
    ],
    active: 'change',
  });
  return answer === 'allow';
}

/** Shows a problem and lets the user choose a remedy, with the most likely remedy first. */
export async function askRemedy(
  question: { readonly title: string; readonly canGoBack?: boolean },
  problem: ConnectionProblem,
  address: string,
): Promise<Remedy | 'save'> {
  const t = vscode.l10n.t;
  const remedies: readonly Choice<Remedy | 'save'>[] = [
    { label: `$(key) ${t('Enter Another API Key')}`, value: 'key' },
    { label: `$(edit) ${t('Change Address')}`, description: address, value: 'address' },
    { label: `$(refresh) ${t('Try Again')}`, value: 'again' },
    { label: `$(save) ${t('Save Anyway')}`, description: t('can be edited later'), value: 'save' },
  ];
  const [likely, others] = [true, false].map(wanted => remedies.filter(({ value }) => (value === problem.remedy) === wanted));
  return askChoice<Remedy | 'save'>({
    ...question,
    placeholder: problem.headline,
    choices: [...(likely ?? []).map(choice => ({ ...choice, detail: problem.details })), separator(t('or')), ...(others ?? [])],
  });
}
