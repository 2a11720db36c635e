import path from 'node:path';
import * as vscode from 'vscode';
import type { MessageBatch } from '../../../client/schemas/messageBatches';
import { CancelledError } from '../../../common/cancellation';
import { type CommandRegistry, runCommand } from '../../../common/commands';
import { combine } from '../../../common/disposables';
import type { Log } from '../../../common/log';
import { exists } from '../../../common/newFile';
import { showInformation, showWarning } from '../../../common/notifications';
import { toLabel } from '../../../common/text';
import type { BatchReference } from '../../../contributions';
import type { JsonlJobs } from '../../../jsonl/jobs';
import type { Connections } from '../../connection/connection';
import { resultsOf, runOf } from '../ledger/runs';
import type { FetchedResults, Submission } from '../ledger/submission';
import { submissionFiles } from '../ledger/submissionFile';
import type { SubmissionRegistry } from '../ledger/submissionRegistry';
import { describeTime } from '../submitting/createBatchMessages';
import { failedCount } from './resultsMessages';
import { fileNameOf } from './siblingNames';

export interface ResultsCommandsDependencies {
  readonly commands: CommandRegistry;
  readonly log: Log;
  readonly connections: Connections;
  readonly jobs: JsonlJobs;
  readonly registry: SubmissionRegistry;
  /** Lets the user choose a batch whose abilities include a word; throws a `CancelledError` when none is chosen. */
  readonly pickBatch: (ability: string, question: string) => Promise<BatchReference>;
  readonly onBatchChanged?: (connection: string, batch: MessageBatch) => void;
}

/** The commands around results: fetch and open them, open the source, write the failed requests to a new file. */
export function registerResultsCommands(deps: ResultsCommandsDependencies): vscode.Disposable {
  const { commands, registry } = deps;
  const lifetime = new AbortController();
  const fetching = { ...deps, lifetime: lifetime.signal, busy: new Set<string>() };
  return combine(
    { dispose: () => lifetime.abort() },
    commands.register('managedAgents.batch.fetchResults', async target => {
      const reference = toReference(target) ?? (await deps.pickBatch('hasResults', vscode.l10n.t('Fetch the results of which batch?')));
      await registry.load();
      const ours = registry.findByBatch(reference.connection, reference.batchId);
      const run = ours && runOf(registry.all(), ours);
      if (run !== undefined && run.parts > 1) {
        await runCommand('managedAgents.group.fetchResults', { runId: run.id });
        return;
      }
      const { fetchBatchResults } = await import('./fetchCommand');
      await fetchBatchResults(fetching, reference);
    }),
    commands.register('managedAgents.batch.openResults', async target => {
      const question = vscode.l10n.t('Open which results?');
      const isFetched = (submission: Submission) => resultsIn(registry, submission) !== undefined;
      const submission = await chooseSubmission(deps, target, question, isFetched);
      await openResults(registry, submission, resultsIn(registry, submission));
    }),
    commands.register('managedAgents.batch.openSource', async target => {
      const question = vscode.l10n.t('Open the source of which batch?');
      await openSource(registry, await chooseSubmission(deps, target, question, () => true));
    }),
    commands.register('managedAgents.batch.writeFailedRequests', async target => {
      const question = vscode.l10n.t('Write the failed requests of which batch?');
      const hasFailures = ({ results }: Submission) => results !== undefined && failedCount(results.report) > 0;
      const submission = await chooseSubmission(deps, target, question, hasFailures);
      const { writeFailedRequests } = await import('../retrying/retryCommand');
      await writeFailedRequests({ ...deps, lifetime: lifetime.signal }, submission);
    }),
  );
}

/** Menus hand over tree items, which carry more than a reference. */
function toReference(target: BatchReference | undefined): BatchReference | undefined {
  return target === undefined ? undefined : { connection: target.connection, batchId: target.batchId };
}

async function chooseSubmission(
  { registry }: Pick<ResultsCommandsDependencies, 'registry'>,
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
          'Batch {0} was not created from a file on this machine. Its results can be fetched by themselves.',
          toLabel(target.batchId, 80),
        ),
      );
    }
    return submission;
  }
  const items = registry
    .all()
    .filter(submission => submission.batchId !== undefined && fits(submission))
    .map(submission => ({
      label: toLabel(fileNameOf(submission.source), 80),
      description: describeTime(submission.startedAt, { locale: vscode.env.language }),
      detail: toLabel(submission.batchId ?? '', 80),
      submission,
    }));
  if (items.length === 0) {
    void showInformation(vscode.l10n.t('No batch from this machine fits. Create one, or fetch its results first.'));
    throw new CancelledError();
  }
  const chosen = await vscode.window.showQuickPick(items, { placeHolder: question, matchOnDescription: true, matchOnDetail: true });
  if (chosen === undefined) {
    throw new CancelledError();
  }
  return chosen.submission;
}

/** The results to show of a submission: those of its whole group when it is a part of one. */
function resultsIn(registry: SubmissionRegistry, submission: Submission): FetchedResults | undefined {
  const run = runOf(registry.all(), submission);
  return run && resultsOf(run);
}

async function openResults(
  registry: SubmissionRegistry,
  { connection, batchId = '' }: Submission,
  results: FetchedResults | undefined,
): Promise<void> {
  const fetch = vscode.l10n.t('Fetch Results');
  let message: string | undefined;
  if (results === undefined) {
    message = vscode.l10n.t('The results of {0} have not been fetched yet.', toLabel(batchId, 80));
  } else if (!(await exists(results.joinedPath))) {
    message = vscode.l10n.t(
      '{0} is not there any more. It can be fetched again while the service keeps the results.',
      toLabel(results.joinedPath, 300),
    );
  } else if ((await import('./resultsPlaces')).isReplaced(registry, results)) {
    message = vscode.l10n.t(
      '{0} holds the results of another batch by now. Those of this one can be fetched again.',
      toLabel(results.joinedPath, 300),
    );
  } else {
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(results.joinedPath));
    return;
  }
  if ((await showWarning(message, fetch)) === fetch) {
    await runCommand('managedAgents.batch.fetchResults', { connection, batchId });
  }
}

async function openSource(registry: SubmissionRegistry, submission: Submission): Promise<void> {
  const uri = vscode.Uri.parse(submission.source);
  const isOpen = vscode.workspace.textDocuments.some(document => document.uri.toString() === uri.toString());
  if (isOpen || (uri.scheme === 'file' && (await exists(uri.fsPath)))) {
    await vscode.commands.executeCommand('vscode.open', uri);
    return;
  }
  const copy = path.join(registry.folder(submission.id), submissionFiles.editorCopy);
  const name = toLabel(uri.scheme === 'file' ? uri.fsPath : fileNameOf(submission.source), 300);
  if (!(submission.fromEditor && (await exists(copy)))) {
    throw new Error(vscode.l10n.t('{0} is not there any more.', name));
  }
  const show = vscode.l10n.t('Show What Was Sent');
  if ((await showWarning(vscode.l10n.t('{0} is not there any more; a copy of what was sent is.', name), show)) === show) {
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(copy));
  }
}
