import * as vscode from 'vscode';
import { askChoice, askText, type Choice, runQuestions, separator } from '../../../common/asking/askSteps';
import type { ConvertOptions } from '../../../jsonl/converting/chatParams';
import type { ForeignSurvey } from '../../../jsonl/converting/surveyForeign';
import { toLabel } from '../../../shared/text';
import { count } from '../fileWork';
import { modelChoices } from '../language/modelChoices';
import type { RuleSettings } from '../ruleSettings';

/** Maximum number of models to ask for, most used first. The other models keep their names. */
const maxAsked = 20;

/** Values of choices that can't be model names. */
const keepName = ' keep';
const otherName = ' other';

/**
 * Asks for models and for `max_tokens`, which every request needs, if the file lacks them. The conversion makes ids valid and unique, and
 * removes fields that a model rejects. Its report lists both.
 */
export async function askConversion(rules: Pick<RuleSettings, 'models' | 'options'>, survey: ForeignSurvey): Promise<ConvertOptions> {
  const { t } = vscode.l10n;
  const title = t('Convert to Request File');
  const models = new Map<string, string>();
  let model: string | undefined;
  let maxTokens: number | undefined;
  type Ask = (question: { title: string; step: number; totalSteps: number; canGoBack: boolean }) => Promise<void>;
  const questions: Ask[] = survey.models.slice(0, maxAsked).map(
    ([name, items]): Ask =>
      async question => {
        const which = t('Model for {0} ({1})', toLabel(name, 80), count(items));
        const answer = await askModel(rules, question, which, name);
        if (answer === undefined) {
          models.delete(name);
        } else {
          models.set(name, answer);
        }
      },
  );
  if (survey.withoutModel > 0) {
    questions.push(async question => {
      const which = t('Model for items without one ({0})', count(survey.withoutModel));
      model = await askModel(rules, question, which, undefined);
    });
  }
  if (survey.withoutMaxTokens > 0) {
    questions.push(async question => {
      const text = await askText({
        ...question,
        prompt: t('max_tokens for items without it ({0})', count(survey.withoutMaxTokens)),
        value: '1024',
        validate: given => (/^\d{1,9}$/.test(given.trim()) ? undefined : t('Enter a whole number above 0.')),
      });
      maxTokens = Number(text.trim());
    });
  }
  await runQuestions(() =>
    questions.map((ask, index) => canGoBack => ask({ title, step: index + 1, totalSteps: questions.length, canGoBack })),
  );
  const { modelPrefix } = rules.options(undefined);
  return { models: [...models], model, maxTokens, ...(modelPrefix !== undefined && { modelPrefix }), takenIds: survey.takenIds };
}

/** Asks for a model. Returns `undefined` to keep the name in the file. */
async function askModel(
  rules: Pick<RuleSettings, 'models'>,
  question: { title: string; step: number; totalSteps: number; canGoBack: boolean },
  placeholder: string,
  current: string | undefined,
): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const served = rules.models();
  const models = modelChoices(served);
  const keep = { label: t('Keep {0}', toLabel(current ?? '', 80)), description: t('unchanged'), value: keepName };
  const choices: Choice<string>[] = [
    ...(current === undefined ? [] : [keep]),
    { label: t('Another Name...'), value: otherName },
    separator(served === undefined ? t('known models') : t('other models')),
    ...models,
  ];
  const answer = await askChoice({ ...question, placeholder, choices, active: models[0]?.value });
  if (answer !== otherName) {
    return answer === keepName ? undefined : answer;
  }
  return await askText({
    ...question,
    canGoBack: false,
    prompt: placeholder,
    value: current ?? '',
    validate: text => (text.trim() === '' ? t('Model ID') : undefined),
  });
}
