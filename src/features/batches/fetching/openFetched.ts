import path from 'node:path';
import * as vscode from 'vscode';
import { askChoice } from '../../../common/asking/askSteps';
import { exists } from '../../../common/asking/newFile';
import { showWarning } from '../../../common/asking/notifications';
import { runCommand } from '../../../common/commands';
import type { BatchReference } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import { finalResultsOf, type RunResults, runOf, type Submission, type SubmissionRegistry, submissionFiles, toRuns } from '../../ledger';
import { toSourceNames } from '../sourceNames';
import { describeTime } from '../submitting/createBatchMessages';
import { fileNameOf } from './siblingNames';

/** Opens the joined results of a batch, the given one or the user's choice; offers to fetch them when they are not there. */
export async function openResults(registry: SubmissionRegistry, target: BatchReference | undefined): Promise<void> {
  const isFetched = (submission: Submission) => resultsIn(registry, submission) !== undefined;
  const submission = await chooseSubmission(registry, target, vscode.l10n.t('Select a batch'), isFetched);
  await openJoined(submission, resultsIn(registry, submission));
}

/** Opens the file that a batch was made from, the given one or the user's choice, at its first request where not all were sent; or a copy of what was sent. */
export async function openSource(registry: SubmissionRegistry, target: BatchReference | undefined): Promise<void> {
  await openFileOf(registry, await chooseSubmission(registry, target, vscode.l10n.t('Select a batch'), () => true));
}

async function chooseSubmission(
  registry: SubmissionRegistry,
  target: BatchReference | undefined,
  question: string,
  fits: (submission: Submission) => boolean,
): Promise<Submission> {
  await registry.reload();
  if (target !== undefined) {
    const submission = registry.findByBatch(target.connection, target.batchId);
    if (submission === undefined) {
      throw new Error(
        vscode.l10n.t(
          "Batch {0} wasn't created from a file on this machine. You can fetch its results without the file.",
          toLabel(target.batchId, 80),
        ),
      );
    }
    return submission;
  }
  const all = registry.all();
  const nameOf = toSourceNames(all.map(({ source }) => source));
  const choices = all
    .filter(submission => submission.batchId !== undefined && fits(submission))
    .map(submission => ({
      label: toLabel(nameOf(submission.source), 80),
      description: describeTime(submission.startedAt, { locale: vscode.env.language }),
      detail: toLabel(submission.batchId ?? '', 80),
      value: submission,
    }));
  const none = vscode.l10n.t('No matching run on this machine. Create a batch, or fetch its results first.');
  return await askChoice({ title: vscode.l10n.t('Batches'), placeholder: question, choices, none });
}

/** The best results of the run of a submission and of those that belong to it. */
function resultsIn(registry: SubmissionRegistry, submission: Submission): RunResults | undefined {
  const all = registry.all();
  const run = runOf(all, submission);
  return run && finalResultsOf(toRuns(all), run);
}

async function openJoined({ connection, batchId = '' }: Submission, results: RunResults | undefined): Promise<void> {
  const fetch = vscode.l10n.t('Fetch Results');
  let message: string | undefined;
  if (results === undefined) {
    message = vscode.l10n.t('Fetch the results first.');
  } else if (!(await exists(results.filePath))) {
    message = vscode.l10n.t('File not found: {0}. Fetch the results to write it again.', toLabel(results.filePath, 300));
  } else {
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(results.filePath));
    return;
  }
  if ((await showWarning(message, fetch)) === fetch) {
    await runCommand('managedAgents.batch.fetchResults', { connection, batchId });
  }
}

async function openFileOf(registry: SubmissionRegistry, submission: Submission): Promise<void> {
  const uri = vscode.Uri.parse(submission.source);
  const isOpen = vscode.workspace.textDocuments.some(document => document.uri.toString() === uri.toString());
  if (isOpen || (uri.scheme === 'file' && (await exists(uri.fsPath)))) {
    const { purpose, firstLine = 0, lastLine = 0 } = submission.selection ?? {};
    const selection = purpose === 'part' ? new vscode.Range(firstLine, 0, lastLine, 0) : new vscode.Range(firstLine, 0, firstLine, 0);
    await vscode.commands.executeCommand(
      'vscode.open',
      uri,
      (purpose && { selection }) satisfies vscode.TextDocumentShowOptions | undefined,
    );
    return;
  }
  const copy = path.join(registry.folder(submission.id), submissionFiles.editorCopy);
  const name = toLabel(uri.scheme === 'file' ? uri.fsPath : fileNameOf(submission.source), 300);
  if (!(submission.fromEditor && (await exists(copy)))) {
    throw new Error(vscode.l10n.t('File not found: {0}', name));
  }
  const show = vscode.l10n.t('Show What Was Sent');
  if ((await showWarning(vscode.l10n.t('File not found: {0}. A copy of what was sent is kept.', name), show)) === show) {
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(copy));
  }
}
