import * as vscode from 'vscode';
import { askText, type Question } from '../../../common/asking/askSteps';
import { showWarning } from '../../../common/asking/notifications';
import type { Log } from '../../../common/log';
import type { Translate } from '../../../common/text/translate';
import { KeyNotStoredError, type KeyStore } from '../keyStore';
import { type ApiKeyProblem, parseApiKey } from './apiKey';

export interface KeyQuestion extends Question {
  /** Scheme, host and port that the key will be sent to. */
  readonly origin: string;
  /** Initial text, entered earlier. */
  readonly value?: string;
}

/** Asks for an API key in a password box. */
export async function askKey(question: KeyQuestion): Promise<string> {
  const t = vscode.l10n.t;
  const text = await askText({
    ...question,
    password: true,
    prompt: t('Tested now, sent only to {0}, stored securely', question.origin),
    placeholder: t('API key'),
    validate: value => {
      const parsed = parseApiKey(value);
      return typeof parsed === 'string' ? describeKeyProblem(parsed, t) : undefined;
    },
  });
  const parsed = parseApiKey(text);
  if (typeof parsed === 'string') {
    throw new Error(describeKeyProblem(parsed, t));
  }
  return parsed.key;
}

/** Describes the problem with a key. Never contains the key. */
export function describeKeyProblem(problem: ApiKeyProblem, t: Translate): string {
  switch (problem) {
    case 'empty':
      return t('Enter the API key');
    case 'headerLine':
      return t('Enter only the key, without "Bearer".');
    case 'whitespace':
      return t('Remove spaces and invisible characters.');
    case 'invalid':
      return t("This isn't a valid key.");
  }
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
    log.error(`The API key of connection "${name}" could not be stored`, error);
  }
  const keep = vscode.l10n.t('Keep for This Window');
  const message = vscode.l10n.t('The API key of "{0}" couldn\'t be stored. You can keep it until this window closes.', name);
  if ((await showWarning(message, keep, vscode.l10n.t('Discard'))) !== keep) {
    return false;
  }
  keys.keepForThisWindow(name, credential);
  return true;
}
