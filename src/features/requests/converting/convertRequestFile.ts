import path from 'node:path';
import * as vscode from 'vscode';
import { findFreePath } from '../../../common/asking/newFile';
import { runCommand } from '../../../common/commands';
import type { ConversionReport } from '../../../jsonl/converting/convertFile';
import type { ForeignSurvey } from '../../../jsonl/converting/surveyForeign';
import { fileKindOf } from '../../../jsonl/scanning/fileKind';
import { toLabel } from '../../../shared/text';
import { isTemplate } from '../building/chooseInputs';
import { withFileOnDisk } from '../documents/fileOnDisk';
import { readFirstLines } from '../documents/requestFile';
import {
  askNewPath,
  createBatchOf,
  type FileWorkDependencies,
  offerActs,
  snapshotFolder,
  type SourceFile,
  showWritten,
  withSource,
  runJob,
} from '../fileWork';
import { askConversion } from './askConversion';
import { toConversionMessage, toConversionReport } from './conversionPresentation';

/** Maximum number of JSON items to check for requests. */
const maxCheckedItems = 20;

/** Converts a file in another format to a request file. */
export async function convertFile(deps: FileWorkDependencies, given: vscode.Uri | undefined): Promise<void> {
  const { t } = vscode.l10n;
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

/** Returns whether there is anything to convert. If not, shows a message. */
function demandWork(deps: FileWorkDependencies, { uri, name }: SourceFile, survey: ForeignSurvey): boolean {
  const { t } = vscode.l10n;
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
  const { t } = vscode.l10n;
  const names = { source: name, out: path.basename(outPath), rest: restPath && path.basename(restPath) };
  await deps.reports.show(t('Conversion of {0}', name), uri, toConversionReport(names, report, t, vscode.env.language));
  const message = toConversionMessage(names, report, t, vscode.env.language);
  const left = report.notes.length === 0 ? '' : ` ${t('The report lists what was left out.')}`;
  showWritten(deps, `${message}${left}`, outPath, createBatchOf(outPath));
}
