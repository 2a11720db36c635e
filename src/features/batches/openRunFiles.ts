import path from 'node:path';
import * as vscode from 'vscode';
import { exists } from '../../common/asking/newFile';
import { offer, showWarning } from '../../common/asking/notifications';
import { runCommand } from '../../common/commands';
import type { BatchReference } from '../../contributions';
import { toLabel } from '../../shared/text';
import { finalResultsOf, hasBatch, isForeign, type Run, runOf, type SubmissionRegistry, submissionFiles, toRuns } from '../ledger';
import { chooseRun, findPart } from './chooseRun';
import { fileNameOf } from './fetching/resultsFile';

/** Opens the best results of the given run, or of a run that the user selects. Offers to fetch missing results. */
export async function openResults(registry: SubmissionRegistry, target: BatchReference | undefined): Promise<void> {
  const resultsIn = (run: Run) => finalResultsOf(toRuns(registry.all()), run);
  const run = await choose(registry, target, vscode.l10n.t('Select a batch'), one => resultsIn(one) !== undefined);
  const results = resultsIn(runOf(registry.all(), run.lead) ?? run);
  if (results !== undefined && (await exists(results.filePath))) {
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(results.filePath));
    return;
  }
  const message =
    results === undefined
      ? vscode.l10n.t('Fetch the results first.')
      : vscode.l10n.t('File not found: {0}. Fetch the results to create it again.', toLabel(results.filePath, 300));
  const { connection, batchId = '' } = run.lead;
  const fetch = () => runCommand('managedAgents.batch.fetchResults', { connection, batchId });
  await offer(showWarning, message, [vscode.l10n.t('Fetch Results'), fetch]);
}

/** Opens the source of the given or selected batch, or offers a copy of the sent content. For part of a file, reveals its first request. */
export async function openSource(registry: SubmissionRegistry, target: BatchReference | undefined): Promise<void> {
  const { lead: submission } = await choose(registry, target, vscode.l10n.t('Select a batch'), hasBatch);
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

/** Returns the run that a command refers to, or a part of it. Throws if the batch was not sent from this machine. */
async function choose(registry: SubmissionRegistry, target: BatchReference | undefined, question: string, fits: (run: Run) => boolean) {
  if (target === undefined) {
    return await chooseRun(registry, undefined, question, fits);
  }
  const found = await findPart(registry, target, vscode.l10n.t);
  if (isForeign(found)) {
    throw new Error(
      vscode.l10n.t(
        "Batch {0} wasn't created from a file on this machine. You can fetch its results without the file.",
        toLabel(target.batchId, 80),
      ),
    );
  }
  return found;
}
