import path from 'node:path';
import * as vscode from 'vscode';
import { askChoice, askText, type Choice, type Question, runQuestions, separator } from '../../../common/asking/askSteps';
import { findFreePath } from '../../../common/asking/newFile';
import { runCommand } from '../../../common/commands';
import type { ConvertOptions } from '../../../jsonl/converting/chatParams';
import type { ConversionReport } from '../../../jsonl/converting/convertFile';
import type { ForeignSurvey } from '../../../jsonl/converting/surveyForeign';
import { fileKindOf } from '../../../jsonl/scanning/fileKind';
import { toLabel } from '../../../shared/text';
import { isTemplate } from '../building/rowsFiles';
import { withFileOnDisk } from '../documents/fileOnDisk';
import { readFirstLines } from '../documents/requestFile';
import {
  askNewPath,
  count,
  createBatchOf,
  type FileWorkDependencies,
  modelChoices,
  offerActs,
  runJob,
  type SourceFile,
  showWritten,
  snapshotFolder,
  withSource,
} from '../fileWork';
import type { RuleSettings } from '../ruleSettings';
import { toConversionMessage, toConversionReport } from './conversionPresentation';

const { t } = vscode.l10n;

/** Maximum number of JSON items to check for requests. */
const maxCheckedItems = 20;

/** Converts a file in another format to a request file. */
export async function convertFile(deps: FileWorkDependencies, given: vscode.Uri | undefined): Promise<void> {
  const question = {
    question: t('Select a request file'),
    openLabel: t('Convert'),
    extensions: ['jsonl', 'ndjson', 'json'],
    isMeant: async (uri: vscode.Uri) => !/\.json$/i.test(uri.path) || (!isTemplate(uri) && (await isConvertible(deps, uri))),
  };
  await withSource(deps, given, question, async source => {
    if (fileKindOf(await readFirstLines(source.path)) === 'results') {
      const show = { label: t('Show Results'), run: () => runCommand('managedAgents.results.show', source.uri) };
      offerActs(deps, t('{0} has results, not requests.', source.name), [show]);
      return;
    }
    const survey = await runJob(deps, t('Reading {0}', source.name), 'surveyForeign', { path: source.path });
    if (!demandWork(deps, source, survey)) {
      return;
    }
    const options = await askConversion(deps.rules, survey);
    const outPath = await askNewPath([source.uri], `${source.stem}.requests.jsonl`);
    const restStem = path.basename(outPath).replace(/(?:\.requests)?\.jsonl$/i, '');
    const restPath = (await findFreePath(vscode.Uri.file(outPath), restStem, '.not-converted.jsonl')) ?? `${outPath}.not-converted.jsonl`;
    const report = await runJob(deps, t('Converting {0}', source.name), 'convertFile', { path: source.path, outPath, restPath, options });
    await show(deps, source, report, outPath, report.hasRest ? restPath : undefined);
  });
}

/** Returns whether the first items of a file include a request. If not, the user probably didn't mean the active JSON file. */
async function isConvertible(deps: FileWorkDependencies, uri: vscode.Uri): Promise<boolean> {
  const { jobs, lifetime } = deps;
  const { kinds } = await withFileOnDisk(uri, snapshotFolder(deps), file =>
    jobs.run('surveyForeign', { path: file, maxItems: maxCheckedItems }, { signal: lifetime }),
  );
  return Object.values(kinds).some(items => items > 0);
}

/** Returns whether there is anything to convert, or shows a message. Throws an error for the user if the file has no requests. */
function demandWork(deps: FileWorkDependencies, { uri, name }: SourceFile, survey: ForeignSurvey): boolean {
  const { kinds, unknown, firstUnknown, layout } = survey;
  const foreign = kinds.params + kinds['batch-line'] + kinds.chat;
  if (foreign + kinds.request === 0) {
    throw new Error(
      firstUnknown === undefined
        ? t('{0} has no requests.', name)
        : t("Can't convert {0}. {1}", name, toLabel(t(firstUnknown.template, ...firstUnknown.args), 400)),
    );
  }
  if (foreign + unknown > 0 || layout !== 'lines') {
    return true;
  }
  const check = { label: t('Check'), run: () => runCommand('managedAgents.file.check', uri) };
  offerActs(deps, t('{0} needs no conversion.', name), [check]);
  return false;
}

async function show(
  deps: FileWorkDependencies,
  { uri, name }: SourceFile,
  report: ConversionReport,
  outPath: string,
  restPath: string | undefined,
): Promise<void> {
  const names = { source: name, out: path.basename(outPath), rest: restPath && path.basename(restPath) };
  await deps.reports.show(t('Conversion of {0}', name), uri, toConversionReport(names, report, t, vscode.env.language));
  const message = toConversionMessage(names, report, t, vscode.env.language);
  const left = report.notes.length === 0 ? '' : ` ${t('The report lists what was left out.')}`;
  showWritten(deps, `${message}${left}`, outPath, createBatchOf(outPath));
}

/** Maximum number of models to ask for, most used first. The other models keep their names. */
const maxAsked = 20;

/** Values of choices that can't be model names. */
const keepName = ' keep';
const otherName = ' other';

/**
 * Asks for the models of requests, and for `max_tokens` if the file lacks it. The conversion makes ids valid and unique, and removes fields
 * that a model rejects. The report lists the changed ids and the removed fields.
 */
async function askConversion(rules: Pick<RuleSettings, 'models' | 'options'>, survey: ForeignSurvey): Promise<ConvertOptions> {
  const title = t('Convert to Request File');
  const models = new Map<string, string>();
  let model: string | undefined;
  let maxTokens: number | undefined;
  type Ask = (question: Question) => Promise<void>;
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
  question: Question,
  placeholder: string,
  current: string | undefined,
): Promise<string | undefined> {
  const served = rules.models();
  const models = modelChoices(served);
  const keep = { label: t('Keep {0}', toLabel(current ?? '', 80)), description: t('unchanged'), value: keepName };
  const choices: Choice<string>[] = [
    ...(current === undefined ? [] : [keep]),
    { label: t('Enter Model ID...'), value: otherName },
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
