import * as vscode from 'vscode';
import { askText } from '../../../common/asking/askSteps';
import { chooseFile } from '../../../common/asking/chooseFile';
import { NothingToDoError } from '../../../common/asking/nothingToDo';
import { toReport, withProgress } from '../../../common/asking/progress';
import { runCommand } from '../../../common/commands';
import type { RunReference } from '../../../contributions';
import type { DrawnLines } from '../../../jsonl/arranging/arrangingJobs';
import { numberFormat } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';
import { generationsOf, isSameService, type Run, resultsOf, toRuns } from '../../ledger';
import { chooseRun } from '../chooseRun';
import type { ChangedDependencies } from '../incremental/createChanged';
import { sendUnanswered } from '../incremental/createChanged';
import type { RunDependencies } from '../runCommands';
import { discardContent, prepareContent } from '../sheet/preparedContent';
import type { ShownSheet } from '../sheet/sheets';
import { nameAmong } from '../sourceNames';
import { hasRest } from '../standing';
import { nameOf } from '../submitting/createBatchTarget';
import { judgeCanary, showVerdict } from './canaryVerdict';

/**
 * Shows the sheet of a file with a sample of its requests: of every model, short and long ones. Nothing is sent before the user does it
 * there. What is answered then counts: the rest is sent without it. The user is asked for the number of requests where it is not given.
 */
export async function createCanary(deps: RunDependencies, given: vscode.Uri | undefined, wanted?: number | 'usual'): Promise<ShownSheet> {
  const { t } = vscode.l10n;
  const file = await chooseFile(given, { question: t('Send a canary of which file?'), openLabel: t('Create Canary Batch') });
  const name = toLabel(nameOf(file), 80);
  const draw = (count?: number) => drawFrom(deps, file, name, count);
  const usual = await draw();
  if (usual.total < 2) {
    throw new Error(t('{0} has too few requests for a sample of them. Create a batch of the whole file.', name));
  }
  const usualCount = Math.min(usual.lines.length, usual.total - 1);
  // Menus of files give something else: what is selected.
  const count = wanted === 'usual' ? usualCount : typeof wanted === 'number' ? wanted : await askCount(name, usual.total, usualCount);
  const problem = problemOfCount(count, usual.total);
  if (problem !== undefined) {
    throw new Error(problem);
  }
  const { lines, sha256 } = count === usual.lines.length ? usual : await draw(count);
  return await deps.showChosen(file, {
    purpose: 'canary',
    lines,
    sha256,
    description: t('a sample across lengths and models'),
  });
}

async function askCount(name: string, total: number, usual: number): Promise<number> {
  const { t } = vscode.l10n;
  const text = await askText({
    title: t('Create Canary Batch'),
    prompt: t(
      'How many of the {0} requests of {1} are sent first? They are a sample across lengths and models.',
      numberFormat(vscode.env.language).format(total),
      name,
    ),
    value: String(usual),
    validate: entered => problemOfCount(Number(entered.trim()), total),
  });
  return Number(text.trim());
}

function problemOfCount(count: number, total: number): string | undefined {
  return Number.isSafeInteger(count) && count >= 1 && count < total
    ? undefined
    : vscode.l10n.t('Give a whole number from 1 to {0}.', numberFormat(vscode.env.language).format(total - 1));
}

async function drawFrom(
  { registry, jobs, lifetime }: RunDependencies,
  file: vscode.Uri,
  name: string,
  count?: number,
): Promise<DrawnLines> {
  const content = await prepareContent(registry, file);
  try {
    return await withProgress(vscode.l10n.t('Drawing requests of {0}', name), lifetime, (signal, tell) =>
      jobs.run(
        'drawLines',
        { path: content.path, seed: name, ...(count !== undefined && { count }) },
        { signal, onProgress: toReport(tell) },
      ),
    );
  } finally {
    discardContent(registry, content);
  }
}

/** Shows the sheet of a canary's file with every request that has no kept success for what it says now. */
export async function continueCanary(deps: ChangedDependencies, target: RunReference | vscode.Uri | undefined): Promise<void> {
  const { t } = vscode.l10n;
  const run = await chooseRun(deps.registry, target, t('Send the rest after which canary?'), isCanary);
  if (!isCanary(run)) {
    throw new Error(t('This batch is not a canary. Only a canary has a rest to send.'));
  }
  const { connections } = deps;
  await connections.whenKnown;
  const { name: connection = '', baseUrl = '' } = connections.current ?? {};
  if (!isSameService(run.lead, { connection, origin: URL.canParse(baseUrl) ? new URL(baseUrl).origin : '' })) {
    throw new Error(
      t('The canary was sent over the connection {0}. Choose that connection to send the rest after it.', toLabel(run.connection, 80)),
    );
  }
  // Its answers say what is left.
  await fetchEnded(run);
  await sendUnanswered(deps, vscode.Uri.parse(run.source), 'rest');
}

/** Judges a canary by its results and shows the verdict as a page, as often as wanted until its rest was sent. */
export async function showCanaryVerdict(deps: RunDependencies, target: RunReference | vscode.Uri | undefined): Promise<void> {
  const { registry } = deps;
  const { t } = vscode.l10n;
  const chosen = await chooseRun(
    registry,
    target,
    t('Show the verdict on which canary?'),
    run => isCanary(run) && !hasRest(generationsOf(toRuns(registry.all()), run)),
  );
  if (!isCanary(chosen)) {
    throw new Error(t('This batch is not a canary. Only a canary has a verdict.'));
  }
  await fetchEnded(chosen);
  const runs = toRuns(registry.all());
  const run = runs.find(({ id }) => id === chosen.id) ?? chosen;
  if (resultsOf(run) === undefined) {
    throw new Error(t('The canary has no results on this machine yet. Fetch them when its batch has ended; they make the verdict.'));
  }
  if (hasRest(generationsOf(runs, run))) {
    throw new NothingToDoError(t('The rest was sent after this canary, so there is nothing left to judge. Look at the results of both.'));
  }
  const name = toLabel(nameAmong(registry.all(), run.source), 80);
  await showVerdict(deps, name, await judgeCanary(deps, run, name));
}

function isCanary({ lead }: Run): boolean {
  return lead.selection?.purpose === 'canary';
}

/** Fetches the results of a run whose batch has ended, where there are none yet. */
async function fetchEnded(run: Run): Promise<void> {
  if (resultsOf(run) === undefined && run.lead.batchId !== undefined && run.lead.batch?.processing_status === 'ended') {
    await runCommand('managedAgents.batch.fetchResults', { connection: run.connection, batchId: run.lead.batchId });
  }
}
