import * as vscode from 'vscode';
import type { ServiceClient } from '../../../client/serviceClient';
import { askChoice, askId, askText } from '../../../common/asking/askSteps';
import { askFiles } from '../../../common/asking/newFile';
import { showWarning } from '../../../common/asking/notifications';
import { CancelledError, unlessCancelled } from '../../../common/cancellation';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { join, toLabel } from '../../../shared/text';

/** Settings of one session that differ from its agent. */
export interface Overrides {
  /** Model of the session. `undefined` for the agent's model. */
  readonly model: string | undefined;
  /** System prompt of the session. `undefined` for the agent's prompt, `null` for no prompt. */
  readonly system: string | null | undefined;
}

export const noOverrides: Overrides = { model: undefined, system: undefined };

/** Maximum length of a system prompt, in characters (API facts, section 7). */
const longestSystem = 100_000;

/** Describes the overrides on one line. Returns '' if there are none. */
export function describeOverrides({ model, system }: Overrides): string {
  const prompt =
    system === undefined
      ? ''
      : system === null
        ? vscode.l10n.t('no system prompt')
        : vscode.l10n.t('system prompt: {0}', toLabel(system.replace(/\s+/g, ' '), 60));
  return withoutIcons(join(' · ', toLabel(model ?? '', 60), prompt));
}

/** Asks for the model and system prompt of one session until the user chooses Done. Escape does the same as Done. */
export async function askOverrides(title: string, client: Pick<ServiceClient, 'models'>, before: Overrides): Promise<Overrides> {
  const { t } = vscode.l10n;
  let overrides = before;
  for (;;) {
    const shown = overrides;
    const own = `$(robot) ${t('Same as Agent')}`;
    const change = await unlessCancelled('done' as const, () =>
      askChoice<'done' | (() => Promise<Overrides>)>({
        title,
        placeholder: t('Select what to override'),
        choices: [
          { label: `$(check) ${t('Done')}`, value: 'done' },
          {
            label: `$(chip) ${t('Model')}`,
            description: withoutIcons(toLabel(shown.model ?? own, 80)),
            value: async () => ({ ...shown, model: await askModel(title, client, shown.model) }),
          },
          {
            label: `$(note) ${t('System prompt')}`,
            description: describeOverrides({ model: undefined, system: shown.system }) || own,
            value: async () => ({ ...shown, system: await askSystem(title, shown.system) }),
          },
        ],
        active: 'done',
      }),
    );
    if (change === 'done') {
      return shown;
    }
    overrides = await unlessCancelled(shown, change);
  }
}

async function askModel(title: string, client: Pick<ServiceClient, 'models'>, before: string | undefined): Promise<string | undefined> {
  const { t } = vscode.l10n;
  // A service may have models but no list of them.
  const models = await client.models.list({ limit: 100 }).then(
    ({ items }) => items,
    () => [],
  );
  const answer = await askChoice<() => Promise<string | undefined>>({
    title,
    placeholder: t('Select a model'),
    choices: [
      { label: `$(robot) ${t('Same as Agent')}`, value: async () => undefined },
      ...models.map(({ id }) => ({
        label: `$(chip) ${withoutIcons(toLabel(id, 80))}`,
        description: id === before ? t('chosen') : '',
        value: async () => id,
      })),
      {
        label: `$(edit) ${t('Enter Model ID...')}`,
        alwaysShow: true,
        value: () => askId({ title, prompt: t('Model ID'), value: before ?? '' }),
      },
    ],
  });
  return await answer();
}

async function askSystem(title: string, before: string | null | undefined): Promise<string | null | undefined> {
  const { t } = vscode.l10n;
  const typed = { title, prompt: t('System prompt'), value: before ?? '', validate: describeSystemProblem };
  const choices = [
    { label: `$(robot) ${t('Same as Agent')}`, value: async () => undefined },
    { label: `$(circle-slash) ${t('None')}`, value: async () => null },
    { label: `$(edit) ${t('Enter Text...')}`, value: async () => (await askText(typed)).trim() },
    { label: `$(file) ${t('From File...')}`, value: () => readPrompt(title) },
  ] as const;
  const active = choices[before === undefined ? 0 : before === null ? 1 : 2].value;
  const answer = await askChoice<() => Promise<string | null | undefined>>({ title, placeholder: t('System prompt'), choices, active });
  return await answer();
}

async function readPrompt(title: string): Promise<string> {
  const [file] = await askFiles({ title, openLabel: vscode.l10n.t('Use as System Prompt') });
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file)).trim();
  const problem = describeSystemProblem(text);
  if (problem !== undefined) {
    void showWarning(vscode.l10n.t("This file can't be used. {0}", problem));
    throw new CancelledError();
  }
  return text;
}

function describeSystemProblem(text: string): string | undefined {
  return text.trim() === ''
    ? vscode.l10n.t('Enter some text')
    : Array.from(text.trim()).length > longestSystem
      ? vscode.l10n.t('Use at most {0} characters.', longestSystem)
      : undefined;
}
