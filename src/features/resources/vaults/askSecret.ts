import * as vscode from 'vscode';
import { askChoice, askText, runSteps, type Step } from '../../../common/asking/askSteps';
import { toLabel } from '../../../shared/text';
import { secretProblem } from './credentialInput';

interface SecretQuestion {
  readonly title: string;
  /** Prompt of the input box. */
  readonly prompt: string;
  /** Maximum number of characters that a service accepts. */
  readonly most: number;
  readonly canGoBack: boolean;
}

/**
 * Asks for one secret: in a password box, or from an environment variable of the extension's machine that the user names. The secret is
 * never stored. Rejects with a `CancelledError` if the user cancels.
 */
export async function askSecret({ title, prompt, most, canGoBack }: SecretQuestion): Promise<string> {
  const { t } = vscode.l10n;
  let secret = '';
  const typed: Step = async () => {
    const validate = (text: string) => secretProblem(text, most, t);
    secret = await askText({ title, prompt, password: true, canGoBack: true, validate });
    return undefined;
  };
  const taken: Step = async () => {
    secret = await fromEnvironment(title, most);
    return undefined;
  };
  await runSteps(async () => {
    const isTyped = await askChoice<boolean>({
      title,
      placeholder: prompt,
      canGoBack,
      choices: [
        { label: `$(key) ${t('Enter Secret')}`, detail: t('Hidden, sent to the service only'), value: true },
        {
          label: `$(symbol-variable) ${t('Use Environment Variable')}`,
          detail: t('VS Code must be started with this variable'),
          value: false,
        },
      ],
    });
    return isTyped ? typed : taken;
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
