import * as vscode from 'vscode';
import { askChoice, type Choice, separator } from '../../../common/asking/askSteps';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { listPrompts, readPrompt } from '../prompts/ownPrompts';

/**
 * Asks for the initial text of a multi-line message: the text written before, or one of the user's prompts. Rejects with a `CancelledError`
 * if the user cancels.
 */
export async function askLongMessage(title: string, written: string): Promise<string> {
  const { t } = vscode.l10n;
  const prompts = await listPrompts();
  if (prompts.length === 0) {
    return written;
  }
  const choices: readonly Choice<string>[] = [
    { label: t('$(edit) {0}', written === '' ? t('Begin with Nothing') : t('Go On with What Is Written')), value: '' },
    separator(t('Your Prompts')),
    ...prompts.map(({ name, detail }) => ({ label: `$(book) ${withoutIcons(name)}`, description: withoutIcons(detail), value: name })),
  ];
  const name = await askChoice<string>({ title, placeholder: t('Write the message in an editor, beginning with what?'), choices });
  if (name === '') {
    return written;
  }
  const prompt = await readPrompt(name);
  return written.trim() === '' ? prompt : `${prompt}\n\n${written}`;
}
