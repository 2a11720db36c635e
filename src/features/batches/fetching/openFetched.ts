import path from 'node:path';
import * as vscode from 'vscode';
import { exists } from '../../../common/asking/newFile';
import { offer, showWarning } from '../../../common/asking/notifications';
import { runCommand } from '../../../common/commands';
import type { BatchReference } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import {
  finalResultsOf,
  hasBatch,
  type Run,
  type RunResults,
  runOf,
  type Submission,
  type SubmissionRegistry,
  submissionFiles,
  toRuns,
} from '../../ledger';
import { chooseRun, findPart } from '../chooseRun';
import { fileNameOf } from './siblingNames';

/** Opens the best results of the given run, or of one that the user selects. Offers to fetch missing results. */
export async function openResults(registry: SubmissionRegistry, target: BatchReference | undefined): Promise<void> {
  const resultsIn = (run: Run) => finalResultsOf(toRuns(registry.all()), run);
  const run = await choose(registry, target, vscode.l10n.t('Select a batch'), one => resultsIn(one) !== undefined);
  await openJoined(run.lead, resultsIn(runOf(registry.all(), run.lead) ?? run));
}

/** Opens the source of the given or selected batch, or offers a copy of the sent content. For part of a file, reveals its first request. */
export async function openSource(registry: SubmissionRegistry, target: BatchReference | undefined): Promise<void> {
  const { lead } = await choose(registry, target, vscode.l10n.t('Select a batch'), hasBatch);
  await openFileOf(registry, lead);
}

/** Returns the run that a command refers to, or a part of it. Throws if the batch was not sent from this machine. */
async function choose(
  registry: SubmissionRegistry,
  target: BatchReference | undefined,
  question: string,
  fits: (run: Run) => boolean,
): Promise<Run> {
  if (target === undefined) {
    return await chooseRun(registry, undefined, question, fits);
  }
  const found = await findPart(registry, target, vscode.l10n.t);
  if (found.source === '') {
    throw new Error(
      vscode.l10n.t(
        "Batch {0} wasn't created from a file on this machine. You can fetch its results without the file.",
        toLabel(target.batchId, 80),
      ),
    );
  }
  return found;
}

async function openJoined({ connection, batchId = '' }: Submission, results: RunResults | undefined): Promise<void> {
  if (results !== undefined && (await exists(results.filePath))) {
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(results.filePath));
    return;
  }
  const message =
    results === undefined
      ? vscode.l10n.t('Fetch the results first.')
      : vscode.l10n.t('File not found: {0}. Fetch the results to create it again.', toLabel(results.filePath, 300));
  const fetch = () => runCommand('managedAgents.batch.fetchResults', { connection, batchId });
  await offer(showWarning, message, [vscode.l10n.t('Fetch Results'), fetch]);
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
  const show = () => vscode.commands.executeCommand('vscode.open', vscode.Uri.file(copy));
  const message = vscode.l10n.t('File not found: {0}. A copy of what was sent is kept.', name);
  await offer(showWarning, message, [vscode.l10n.t('Show What Was Sent'), show]);
}
