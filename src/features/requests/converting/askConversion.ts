import * as vscode from 'vscode';
import { askChoice, askText, type Choice, runSteps, type Step, separator } from '../../../common/asking/askSteps';
import type { ConvertOptions, ForeignSurvey } from '../../../jsonl/converting/convertingJobs';
import { contractModels, hasFixedSampling } from '../../../jsonl/rules/modelNames';
import { toLabel } from '../../../shared/text';
import type { RuleSettings } from '../checking/ruleSettings';
import { count } from '../fileWork';

/** Models that are asked for one by one; of more, the most used. The others keep their names. */
const mostAsked = 20;

type ModelAnswer = { readonly model: string } | 'keep' | 'other';

/** Asks what a conversion has to know beside the file: models, `max_tokens`, ids. Nothing is asked that the file says. */
export async function askConversion(rules: Pick<RuleSettings, 'models' | 'options'>, survey: ForeignSurvey): Promise<ConvertOptions> {
  const { t } = vscode.l10n;
  const title = t('Convert to Request File');
  const models = new Map<string, string>();
  let model: string | undefined;
  let maxTokens: number | undefined;
  let fitIds = true;
  let uniqueIds = false;
  let dropRejected = false;
  const { modelPrefix } = rules.options(undefined);
  const steps: Step[] = [];
  const then = (step: Step) => steps[steps.indexOf(step) + 1];
  const total = () => ({ totalSteps: steps.length });
  const add = (ask: (question: { title: string; step: number; totalSteps: number; canGoBack: boolean }) => Promise<void>) => {
    const step: Step = async canGoBack => {
      await ask({ title, step: steps.indexOf(step) + 1, ...total(), canGoBack });
      return then(step);
    };
    steps.push(step);
  };
  for (const [name, items] of survey.models.slice(0, mostAsked)) {
    add(async question => {
      const title =
        items === 1
          ? t('Which model stands for {0}? (1 item)', toLabel(name, 80))
          : t('Which model stands for {0}? ({1} items)', toLabel(name, 80), count(items));
      const answer = await askModel(rules, question, title, name);
      if (answer === undefined) {
        models.delete(name);
      } else {
        models.set(name, answer);
      }
    });
  }
  if (survey.withoutModel > 0) {
    add(async question => {
      const title =
        survey.withoutModel === 1
          ? t('Which model for the 1 item that names none?')
          : t('Which model for the {0} items that name none?', count(survey.withoutModel));
      model = await askModel(rules, question, title, undefined);
    });
  }
  if (survey.withoutMaxTokens > 0) {
    add(async question => {
      const text = await askText({
        ...question,
        prompt:
          survey.withoutMaxTokens === 1
            ? t('max_tokens for the 1 item that has none; a request must have it here')
            : t('max_tokens for the {0} items that have none; a request must have it here', count(survey.withoutMaxTokens)),
        value: '1024',
        validate: given => (/^\d{1,9}$/.test(given.trim()) ? undefined : t('Give a whole number.')),
      });
      maxTokens = Number(text.trim());
    });
  }
  if (survey.unfitIds > 0) {
    add(async question => {
      fitIds = await askChoice({
        ...question,
        placeholder:
          survey.unfitIds === 1
            ? t('1 id is not allowed in a batch: 1 to 64 letters, digits, - and _')
            : t('{0} ids are not allowed in a batch: 1 to 64 letters, digits, - and _', count(survey.unfitIds)),
        choices: [
          {
            label: t('Make them fit'),
            detail: t('What is allowed of each stays, with a hash at its end; the report lists them'),
            value: true,
          },
          { label: t('Keep them'), detail: t('The check names them afterwards'), value: false },
        ],
      });
    });
  }
  if (survey.repeatedIds > 0) {
    add(async question => {
      uniqueIds = await askChoice({
        ...question,
        placeholder:
          survey.repeatedIds === 1
            ? t('1 item has the id of an earlier one; a batch needs each id once')
            : t('{0} items have the id of an earlier one; a batch needs each id once', count(survey.repeatedIds)),
        choices: [
          { label: t('Make them differ'), detail: t('The first keeps its id, others get the number of the item and a hash'), value: true },
          { label: t('Keep them'), detail: t('The report lists them'), value: false },
        ],
      });
    });
  }
  if (survey.sampled.length > 0) {
    // The last question: whether it is asked depends on the models that were chosen.
    add(async question => {
      const rejecting = survey.sampled.filter(([name]) => {
        const chosen = name === '' ? model : (models.get(name) ?? name);
        return chosen !== undefined && hasFixedSampling(chosen, modelPrefix === undefined ? {} : { modelPrefix });
      });
      const items = rejecting.reduce((sum, [, each]) => sum + each, 0);
      if (items > 0) {
        dropRejected = await askDropping(question, items);
      }
    });
  }
  const [first] = steps;
  if (first !== undefined) {
    await runSteps(first);
  }
  const prefix = modelPrefix === undefined ? {} : { modelPrefix };
  return { models: [...models], model, maxTokens, dropRejected, ...prefix, fitIds, uniqueIds, takenIds: survey.takenIds };
}

/** Asks whether to leave out what the chosen models reject. */
async function askDropping(question: Parameters<typeof askModel>[1], items: number): Promise<boolean> {
  const { t } = vscode.l10n;
  return await askChoice({
    ...question,
    placeholder:
      items === 1
        ? t('1 item has a temperature, top_k or top_p that its model rejects')
        : t('{0} items have a temperature, top_k or top_p that their model rejects', count(items)),
    choices: [
      { label: t('Leave them out'), detail: t('The report lists where'), value: true },
      { label: t('Keep them'), detail: t('The service refuses these requests, hours after the batch was made'), value: false },
    ],
  });
}

/** Asks for a model; undefined when the name in the file stays, which can be answered only when there is one. */
async function askModel(
  rules: Pick<RuleSettings, 'models'>,
  question: { title: string; step: number; totalSteps: number; canGoBack: boolean },
  placeholder: string,
  current: string | undefined,
): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const served = rules.models()?.map(({ id, display_name: name }) => ({ id, name: name ?? '' }));
  const known = served ?? contractModels.map(id => ({ id, name: '' }));
  const models: Choice<ModelAnswer>[] = known.map(({ id, name }) => ({
    label: toLabel(id, 100),
    description: name === id ? '' : toLabel(name, 100),
    value: { model: id },
  }));
  const choices: Choice<ModelAnswer>[] = [
    ...(current === undefined
      ? []
      : [{ label: t('Keep {0}', toLabel(current, 80)), description: t('for a service that knows it'), value: 'keep' as const }]),
    { label: t('Another Name...'), value: 'other' },
    separator(served === undefined ? t('known models') : t('models of the connection')),
    ...models,
  ];
  const answer = await askChoice({ ...question, placeholder, choices, active: models[0]?.value });
  if (answer === 'keep') {
    return undefined;
  }
  if (answer !== 'other') {
    return answer.model;
  }
  return await askText({
    ...question,
    canGoBack: false,
    prompt: placeholder,
    value: current ?? '',
    validate: text => (text.trim() === '' ? t('Give the name of a model.') : undefined),
  });
}
