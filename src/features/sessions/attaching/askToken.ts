import process from 'node:process';
import * as vscode from 'vscode';
import { askChoice, askText } from '../../../common/asking/askSteps';
import { describeTokenProblem, describeVariableProblem, type Token } from './repositoryPresentation';

/**
 * Asks for a token, in a password box or from an environment variable of the extension host. Only the caller gets it. Rejects with a
 * `CancelledError` if the user cancels.
 */
export async function askToken(title: string): Promise<Token> {
  const { t } = vscode.l10n;
  const way = await askChoice<'type' | 'variable'>({
    title,
    placeholder: t('Select how to enter the token'),
    choices: [
      { label: `$(key) ${t('Enter the Token...')}`, value: 'type' },
      {
        label: `$(symbol-variable) ${t('From an Environment Variable...')}`,
        detail: t('VS Code must be started with this variable'),
        value: 'variable',
      },
    ],
  });
  if (way === 'type') {
    const text = await askText({
      title,
      prompt: t('Enter a token'),
      password: true,
      validate: value => describeTokenProblem(value, t),
    });
    return { value: text.trim(), variable: undefined };
  }
  const name = await askText({
    title,
    prompt: t('Name of the environment variable'),
    placeholder: 'GIT_TOKEN',
    validate: value => describeVariableProblem(value, process.env, t),
  });
  return { value: (process.env[name.trim()] ?? '').trim(), variable: name.trim() };
}
