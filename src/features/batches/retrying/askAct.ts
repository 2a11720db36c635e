import * as vscode from 'vscode';
import { askChoice, askText, type Choice } from '../../../common/asking/askSteps';
import { nextMaxTokens } from '../../../jsonl/retrying/remedyOf';
import type { RequestChange, RetryGroup } from '../../../jsonl/retrying/retryingJobs';
import { contractModels } from '../../../jsonl/rules/modelNames';
import { toLabel } from '../../../shared/text';
import { describeMaxTokensProblem, type PlannedAct } from './retryPresentation';

type ActKind = 'as-is' | 'max-tokens' | 'model' | 'remedy';

/** Asks for the change in the requests of a group. `models` are those of the connection if they are known. */
export async function askAct(group: RetryGroup, models: readonly string[] | undefined): Promise<PlannedAct> {
  const { t } = vscode.l10n;
  const { remedy } = group;
  const requests = group.lines.length === 1 ? t('1 request') : t('{0} requests', group.lines.length);
  const choices: Choice<ActKind>[] = [
    { label: t('Send unchanged'), value: 'as-is' },
    { label: t('Raise max_tokens...'), value: 'max-tokens' },
    { label: t('Change the model...'), value: 'model' },
  ];
  if (remedy?.kind === 'remove') {
    choices.unshift({ label: t('Remove {0}', toLabel(remedy.path.join('.'), 60)), value: 'remedy' });
  } else if (remedy?.kind === 'raise_each') {
    choices.unshift({ label: t('Raise max_tokens'), value: 'remedy' });
  } else if (remedy?.kind === 'lower_max_tokens') {
    choices.unshift({ label: t('Lower max_tokens to {0}', remedy.to), value: 'remedy' });
  }
  const kind = await askChoice({ title: t('Change Requests'), placeholder: t('Select an action for {0}', requests), choices });
  switch (kind) {
    case 'as-is':
      return { change: undefined };
    case 'max-tokens':
      return { change: await askMaxTokens(group) };
    case 'model':
      return { change: await askModel(group, models) };
    case 'remedy':
      return { change: remedy?.kind === 'choose_model' ? undefined : remedy };
  }
}

async function askMaxTokens({ models, remedy, maxAllowed }: RetryGroup): Promise<RequestChange> {
  const { t } = vscode.l10n;
  const most = Math.max(0, ...models.map(({ maxOfOne }) => maxOfOne));
  const proposed = remedy?.kind === 'raise_max_tokens' ? remedy.to : (nextMaxTokens(most, maxAllowed) ?? most);
  const text = await askText({
    title: t('Change Requests'),
    prompt: t('Minimum max_tokens (current maximum: {0})', most),
    value: String(proposed),
    validate: given => describeMaxTokensProblem(given, maxAllowed, { translate: t, locale: vscode.env.language }),
  });
  return { kind: 'raise_max_tokens', to: Number(text) };
}

async function askModel({ models: asked, credit }: RetryGroup, models: readonly string[] | undefined): Promise<RequestChange> {
  const { t } = vscode.l10n;
  const present = new Set(asked.map(({ model }) => model));
  const names = [...new Set([...(credit?.models ?? []), ...(models ?? contractModels)])].filter(name => !present.has(name));
  const other = '';
  const choices: Choice<string>[] = [
    ...names.slice(0, 500).map(name => ({ label: toLabel(name, 100), value: name })),
    { label: t('Another...'), value: other },
  ];
  const chosen = await askChoice({ title: t('Change the Model'), placeholder: t('Select a model'), choices });
  const model =
    chosen === other
      ? await askText({
          title: t('Change the Model'),
          prompt: t('Model ID'),
          validate: text => (text.trim() === '' ? t('Enter a name') : undefined),
        })
      : chosen;
  return { kind: 'set_model', model: model.trim() };
}
