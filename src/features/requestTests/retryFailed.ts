import path from 'node:path';
import * as vscode from 'vscode';
import { askWhere, freeNameBeside } from '../../common/asking/newFile';
import { showInformation } from '../../common/asking/notifications';
import { CancelledError } from '../../common/cancellation';
import { runCommand } from '../../common/commands';
import type { JsonlJobs } from '../../jsonl/jobs/jobs';
import { numberFormat } from '../../shared/formats';
import { toLabel } from '../../shared/text';
import { generationsOf, isMerged, resultsOf, resultsOfSource, type SubmissionRegistry, toRuns } from '../ledger';
import { loadRequestWriting } from '../results';
import type { FailedTests } from './failedTests';
import type { TestedFile } from './testedFile';

export interface RetryFailedDependencies {
  readonly jobs: JsonlJobs;
  readonly registry: SubmissionRegistry;
  readonly lifetime: AbortSignal;
}

/**
 * Lets the user send failed tests of a file again: by the plan of its retry, which knows what the service failed at, or, with those whose
 * answers are not as expected, as a new file. Nothing is sent here. Throws `CancelledError` when the user turns back.
 */
export async function retryFailed(deps: RetryFailedDependencies, file: TestedFile, failed: FailedTests): Promise<void> {
  const source = vscode.Uri.parse(file.source);
  const name = path.posix.basename(source.path);
  if (failed.rows.length === 0 && failed.missing === 0) {
    void showInformation(vscode.l10n.t('None of these tests of {0} failed, so there is nothing to send again.', toLabel(name, 80)));
  } else if (failed.rows.length === 0 || (await choosePlan(name, failed, await isUnderWay(deps, file)))) {
    await runCommand('managedAgents.retry.plan', source);
  } else {
    await writeFailed(deps, file, failed);
  }
}

/** Whether a batch that follows the results has no answers yet: it may hold requests that failed. */
async function isUnderWay({ registry }: RetryFailedDependencies, { source }: TestedFile): Promise<boolean> {
  const run = resultsOfSource(registry.all(), source)?.run;
  const family = run === undefined ? [] : generationsOf(toRuns(registry.all()), run);
  const canAnswer = ['sending', 'unknown', 'created'];
  return family.some(
    other =>
      resultsOf(other) === undefined && other.submissions.some(({ state, deleted }) => canAnswer.includes(state) && deleted !== true),
  );
}

/** Whether the retry is planned rather than the failed tests written as they are. */
async function choosePlan(name: string, { rows, unmet, missing }: FailedTests, isOnItsWay: boolean): Promise<boolean> {
  const { t } = vscode.l10n;
  const number = numberFormat(vscode.env.language);
  const plan = {
    label: t('Send Again: {0}', toLabel(name, 60)),
    detail: t(
      'Everything the service did not answer well, by cause, with what fixes it. Answers that are only not as expected are left out.',
    ),
    isPlan: true,
  };
  const left = missing === 0 ? '' : ` ${t('{0} without an answer are left to the plan.', number.format(missing))}`;
  const write = {
    label:
      rows.length === 1 ? t('Write This Request to a New File') : t('Write These {0} Requests to a New File', number.format(rows.length)),
    detail: `${t('As they stand in the file, {0} of them because their answer is not as expected.', number.format(unmet))}${left}`,
    isPlan: false,
  };
  const warning = t('A batch that follows has no answers yet. The plan leaves out what it holds; a file written now may send it twice.');
  const chosen = await vscode.window.showQuickPick(unmet > 0 && !isOnItsWay ? [write, plan] : [plan, write], {
    title: t('Create Retry Batch from Failed'),
    placeHolder: isOnItsWay ? warning : t('Nothing is sent before you create the batch'),
  });
  if (chosen === undefined) {
    throw new CancelledError();
  }
  return chosen.isPlan;
}

async function writeFailed({ jobs, registry, lifetime }: RetryFailedDependencies, file: TestedFile, { rows }: FailedTests): Promise<void> {
  const { t } = vscode.l10n;
  const { joined } = file;
  const found = resultsOfSource(registry.all(), file.source);
  const { findShown, writeRequests } = await loadRequestWriting();
  const shown = found && (await findShown(registry, { runId: found.run.id, withRetries: isMerged(found.results) }));
  if (shown === undefined || joined === undefined) {
    throw new Error(t('There are no results of this file any more.'));
  }
  const source = vscode.Uri.parse(file.source);
  const stem = path.posix.basename(source.path).replace(/\.(?:jsonl|ndjson)$/i, '') || 'requests';
  const outPath =
    (await freeNameBeside(source, `${stem}.retry`, '.jsonl')) ?? (await askWhere(`${stem}.retry.jsonl`, t('Save the Failed Requests')));
  const { written, gone } = await writeRequests({ registry, jobs, lifetime }, shown, joined, rows, outPath);
  const uri = vscode.Uri.file(outPath);
  await vscode.commands.executeCommand('vscode.open', uri);
  const number = numberFormat(vscode.env.language);
  const name = toLabel(path.basename(outPath), 80);
  const words = written === 1 ? t('Wrote 1 request to {0}.', name) : t('Wrote {0} requests to {1}.', number.format(written), name);
  const lost = gone === 0 ? '' : ` ${t('{0} requests are not in their file any more and were left out.', number.format(gone))}`;
  const create = t('Create Batch');
  void showInformation(`${words}${lost}`, create).then(async choice => {
    if (choice === create) {
      await runCommand('managedAgents.batch.create', uri);
    }
  });
}
