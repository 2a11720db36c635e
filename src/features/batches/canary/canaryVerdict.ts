import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { exists } from '../../../common/asking/newFile';
import { showInformation, showWarning } from '../../../common/asking/notifications';
import { runCommand } from '../../../common/commands';
import { readEstimateSettings } from '../../../common/estimateSettings';
import { readSetting } from '../../../common/settings';
import type { PresentationContext } from '../../../common/text/presentation';
import { expectationsNameOf } from '../../../jsonl/expecting/expectationsName';
import { ResultsIndex } from '../../../jsonl/results/resultsIndex';
import { toLabel } from '../../../shared/text';
import { generationsOf, type Run, resultsOf } from '../../ledger';
import { makePlan } from '../retrying/makePlan';
import type { RunDependencies } from '../runCommands';
import { whenNoSheet } from '../sheet/whenNoSheet';
import { nameAmong } from '../sourceNames';
import { hasRest } from '../standing';
import { judge, type UnmetGroup, type Verdict } from './verdict';
import { describeVerdict, toVerdictPage } from './verdictPresentation';
import { Mean } from './wilson';

const markerName = 'verdict.told';

/** Whether a run is a canary whose rest was not sent yet. */
export function isOpenCanary(runs: readonly Run[], run: Run): boolean {
  return run.lead.selection?.purpose === 'canary' && resultsOf(run) !== undefined && !hasRest(generationsOf(runs, run));
}

/** Tells the verdict on a canary whose results have come, once over all windows and reloads, unless nothing is to be told of batches. */
export async function tellVerdict(deps: RunDependencies, run: Run): Promise<void> {
  const marker = path.join(deps.registry.folder(run.lead.id), markerName);
  if (readSetting('managedAgents.batches.notify') === 'never' || !(await claim(marker))) {
    return;
  }
  const { t } = vscode.l10n;
  const context: PresentationContext = { translate: t, locale: vscode.env.language, now: Date.now() };
  const name = toLabel(nameAmong(deps.registry.all(), run.source), 80);
  const verdict = await judgeCanary(deps, run, name).catch(async error => {
    // Not told: the next window tells it.
    await rm(marker, { force: true });
    throw error;
  });
  const rest = t('Send the Rest');
  const fix = t('Plan Retry');
  const page = t('Show Verdict');
  const isGood = verdict.kind === 'clear' || verdict.kind === 'passing';
  const show = isGood ? showInformation<string> : showWarning<string>;
  await whenNoSheet();
  const answer = await show(describeVerdict(name, verdict, context), ...(isGood ? [rest, page] : [page, fix, rest]));
  if (answer === rest) {
    await runCommand('managedAgents.canary.continue', { runId: run.id });
  } else if (answer === fix) {
    await runCommand('managedAgents.retry.plan', { runId: run.id });
  } else if (answer === page) {
    await showVerdict(deps, name, verdict);
  }
}

/** Shows a verdict as a page. */
export async function showVerdict(deps: Pick<RunDependencies, 'showPage'>, name: string, verdict: Verdict): Promise<void> {
  const { t } = vscode.l10n;
  const context: PresentationContext = { translate: t, locale: vscode.env.language, now: Date.now() };
  await deps.showPage(t('Canary of {0}', name), toVerdictPage(name, verdict, readEstimateSettings().currency, context));
}

/** Judges a canary by its results. */
export async function judgeCanary(deps: RunDependencies, run: Run, name: string): Promise<Verdict> {
  const { plan } = await makePlan(deps, run, name);
  const input = new Mean();
  const output = new Mean();
  const results = resultsOf(run);
  if (results !== undefined) {
    const index = await ResultsIndex.open(path.join(deps.registry.folder(results.submissionId), results.indexName), results.joinedPath);
    for (const entry of index.entries()) {
      // What was not answered costs nothing; that it happens is part of what is to be expected.
      input.add(entry.inputTokens);
      output.add(entry.outputTokens);
    }
  }
  return judge({
    sampled: run.submissions.reduce((sum, { requestCount }) => sum + requestCount, 0),
    whole: await countRequests(deps, run),
    plan,
    unmet: await unmetOf(deps, run),
    input,
    output,
    models: [...new Set(run.submissions.flatMap(({ models = [] }) => models.map(([model]) => model)))],
    prices: readEstimateSettings().prices,
  });
}

/** What of the answers is not as the file of expectations beside the source says; undefined when there is none. */
async function unmetOf({ jobs, registry, lifetime }: RunDependencies, run: Run): Promise<readonly UnmetGroup[] | undefined> {
  const results = resultsOf(run);
  const uri = vscode.Uri.parse(run.source);
  const expectationsPath = path.join(path.dirname(uri.fsPath), expectationsNameOf(path.basename(uri.fsPath)));
  if (results === undefined || uri.scheme !== 'file' || !(await exists(expectationsPath))) {
    return undefined;
  }
  const indexPath = path.join(registry.folder(results.submissionId), results.indexName);
  const { groups } = await jobs.run('judgeResults', { joinedPath: results.joinedPath, indexPath, expectationsPath }, { signal: lifetime });
  return groups
    .filter(({ kind, count }) => kind === 'unmet' && count > 0)
    .map(({ check = '', message, count }) => ({ message: message === '' ? check : `${check}: ${message}`, count }));
}

/** The requests of the file as it is on disk now; undefined when it cannot be read. */
async function countRequests({ jobs, lifetime }: Pick<RunDependencies, 'jobs' | 'lifetime'>, { source }: Run): Promise<number | undefined> {
  const uri = vscode.Uri.parse(source);
  if (uri.scheme !== 'file') {
    return undefined;
  }
  try {
    return (await jobs.run('drawLines', { path: uri.fsPath, seed: '', count: 1 }, { signal: lifetime })).total;
  } catch {
    return undefined;
  }
}

async function claim(file: string): Promise<boolean> {
  try {
    await (await open(file, 'wx', 0o600)).close();
    return true;
  } catch {
    return false;
  }
}
