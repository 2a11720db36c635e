import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { MessageBatch } from '../../../client/schemas/messageBatches';
import { askWhere } from '../../../common/asking/newFile';
import { askModal, showFailure, showInformation, showWarning } from '../../../common/asking/notifications';
import { type Report, withProgress } from '../../../common/asking/progress';
import { runCommand } from '../../../common/commands';
import type { Log } from '../../../common/log';
import { readSetting } from '../../../common/settings';
import { join } from '../../../common/text/presentation';
import type { BatchReference } from '../../../contributions';
import { stampOfFile } from '../../../jsonl/files/publishing';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import { type ResultsReport, reviewCount } from '../../../jsonl/results/resultsReport';
import { toByteSize, toLabel } from '../../../shared/text';
import type { Connections } from '../../connection';
import type { Submission, SubmissionRegistry } from '../../ledger';
import { type MessageContext, toSentence } from '../submitting/createBatchMessages';
import { ResultsFetchError } from './fetchErrors';
import { type FetchedReport, type FetchProgress, fetchResults } from './fetchResults';
import { fetchRetrieved, type RetrievedBatch, retrieveBatch, useIncomplete } from './fetchSubmission';
import { describeLines, describeResults, describeResultsDetails } from './resultsMessages';
import { placeForResults } from './resultsPlaces';
import { fileNameOf, resultsNameOf } from './siblingNames';

export interface FetchDependencies {
  readonly log: Log;
  readonly connections: Connections;
  readonly jobs: JsonlJobs;
  readonly registry: SubmissionRegistry;
  readonly lifetime: AbortSignal;
  /** Ids of batches and runs whose results are being fetched. */
  readonly busy: Set<string>;
  readonly onBatchChanged?: (connection: string, batch: MessageBatch) => void;
}

/** What was fetched, and under which name to speak of it. */
interface Fetched extends FetchedReport {
  readonly name: string;
  readonly path: string;
}

/**
 * Fetches the results of an ended batch: of one of ours joined beside its source and remembered, of any other as a file of
 * the user's choice. Tells what came of it. Throws what the service or the disk answered.
 */
export async function fetchBatchResults(deps: FetchDependencies, reference: BatchReference): Promise<void> {
  const { busy } = deps;
  if (busy.has(reference.batchId)) {
    void showInformation(vscode.l10n.t('The results of {0} are being fetched already.', toLabel(reference.batchId, 80)));
    return;
  }
  busy.add(reference.batchId);
  try {
    const retrieved = await retrieveBatch(deps, reference);
    const { batch } = retrieved;
    await deps.registry.reload();
    const submission = deps.registry.findByBatch(reference.connection, reference.batchId);
    if (batch.processing_status !== 'ended') {
      background(deps, tellNotEnded(batch, submission));
      return;
    }
    const fetched = submission === undefined ? await fetchForeign(deps, retrieved) : await fetchOurs(deps, retrieved, submission);
    background(deps, tellFetched(fetched, submission, reference));
  } catch (error) {
    if (!(error instanceof ResultsFetchError) || error.kind !== 'cut') {
      throw error;
    }
    background(deps, tellCut(deps, reference, error));
  } finally {
    busy.delete(reference.batchId);
  }
}

async function fetchOurs(deps: FetchDependencies, retrieved: RetrievedBatch, submission: Submission): Promise<Fetched> {
  const place = await placeForResults(deps.registry, submission);
  const name = fileNameOf(submission.source);
  const title = vscode.l10n.t('Fetching results of {0}', toLabel(name, 80));
  const fetched = await withProgress(title, deps.lifetime, (signal, report) =>
    fetchRetrieved(deps, submission, retrieved, { place, signal, onProgress: progress => tellProgress(progress, report) }),
  );
  return { ...fetched, path: fetched.joinedPath, name };
}

async function fetchForeign({ jobs, lifetime }: FetchDependencies, { client, batch }: RetrievedBatch): Promise<Fetched> {
  const rawPath = await askWhere(resultsNameOf(batch.id), vscode.l10n.t('Save the Results'));
  const rawStanding = { stamp: await stampOfFile(rawPath) };
  const title = vscode.l10n.t('Fetching results of {0}', toLabel(batch.id, 80));
  // Verifying writes a joined file, which is of no use without the source.
  const folder = await mkdtemp(path.join(tmpdir(), 'managed-agents-'));
  try {
    const fetched = await withProgress(title, lifetime, (signal, report) =>
      fetchResults({
        client,
        batch,
        jobs,
        rawPath,
        rawStanding,
        joinedPath: path.join(folder, 'joined.jsonl'),
        indexPath: path.join(folder, 'joined.index'),
        signal,
        onProgress: progress => tellProgress(progress, report),
      }),
    );
    return { ...fetched, path: fetched.rawPath, name: batch.id };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function tellProgress({ phase, doneBytes, totalBytes }: FetchProgress, report: Report): void {
  const { language } = vscode.env;
  if (phase === 'joining') {
    report(vscode.l10n.t('Verifying and joining'), 0.5 + share(doneBytes, totalBytes) / 2);
  } else if (totalBytes === undefined) {
    report(vscode.l10n.t('{0} received', toByteSize(doneBytes, language)));
  } else {
    report(
      vscode.l10n.t('{0} of {1}', toByteSize(doneBytes, language), toByteSize(totalBytes, language)),
      share(doneBytes, totalBytes) / 2,
    );
  }
}

function share(done: number, total: number | undefined): number {
  return total === undefined || total === 0 ? 0 : done / total;
}

async function tellNotEnded(batch: MessageBatch, submission: Submission | undefined): Promise<void> {
  const id = toLabel(batch.id, 80);
  const message = vscode.l10n.t('Batch {0} has not ended yet, so it has no results.', id);
  if (submission === undefined) {
    await showInformation(message);
    return;
  }
  if (readSetting('managedAgents.batches.notify') !== 'never') {
    await showInformation(vscode.l10n.t('{0} You are notified when it has.', message));
    return;
  }
  const notify = vscode.l10n.t('Notify When Batches End');
  if ((await showInformation(message, notify)) === notify) {
    await vscode.workspace.getConfiguration().update('managedAgents.batches.notify', 'always', vscode.ConfigurationTarget.Global);
  }
}

async function tellFetched(fetched: Fetched, submission: Submission | undefined, reference: BatchReference): Promise<void> {
  const { report } = fetched;
  const summary = describeResults(fetched.name, report, messageContext());
  const withRequests =
    fetched.requestsLeftOut === undefined
      ? summary
      : vscode.l10n.t('{0} The requests are not beside them: {1}', summary, toSentence(fetched.requestsLeftOut));
  const message = join(' ', withRequests, describeLines(fetched.lines, messageContext()));
  // What was never ours is fetched to a file of the user's choice, and no table knows of it.
  const table = vscode.l10n.t('Show Results Table');
  const open = vscode.l10n.t('Open Results File');
  const details = vscode.l10n.t('Show Details');
  const plan = vscode.l10n.t('Send Again...');
  const buttons = [
    ...(submission === undefined ? [] : [table]),
    open,
    ...(submission !== undefined && reviewCount(report) > 0 ? [plan] : []),
    ...(report.complete ? [] : [details]),
  ];
  const show = report.complete ? showInformation : showWarning;
  const choice = await show(message, ...buttons);
  if (choice === table) {
    await runCommand('managedAgents.results.show', reference);
  } else if (choice === open) {
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(fetched.path));
  } else if (choice === plan) {
    await runCommand('managedAgents.retry.plan', reference);
  } else if (choice === details) {
    await showDetails(message, report);
  }
}

async function showDetails(message: string, report: ResultsReport): Promise<void> {
  const lines = describeResultsDetails(report, messageContext());
  const detail = [...lines, ...(report.countsMatch ? [] : [vscode.l10n.t('The service itself counts other results for this batch.')])].join(
    '\n\n',
  );
  await askModal(message, { detail });
}

/** Cut results are kept beside the whole ones would be: the user may try again or use what arrived. */
async function tellCut(deps: FetchDependencies, reference: BatchReference, error: ResultsFetchError): Promise<void> {
  deps.log.error(`Results of batch ${reference.batchId} arrived cut`, error);
  const again = vscode.l10n.t('Try Again');
  const use = vscode.l10n.t('Use What Arrived');
  const submission = deps.registry.findByBatch(reference.connection, reference.batchId);
  const { incompletePath } = error;
  const usable = submission !== undefined && submission.batch !== undefined && incompletePath !== undefined;
  const choice = await showFailure(error.message, ...(usable ? [again, use] : [again]));
  if (choice === again) {
    await runCommand('managedAgents.batch.fetchResults', reference);
  } else if (choice === use && usable) {
    await joinIncomplete(deps, submission, incompletePath, reference);
  }
}

async function joinIncomplete(
  deps: FetchDependencies,
  submission: Submission,
  incompletePath: string,
  reference: BatchReference,
): Promise<void> {
  const { batch } = await retrieveBatch(deps, reference);
  const name = fileNameOf(submission.source);
  const fetched = await withProgress(vscode.l10n.t('Joining results of {0}', toLabel(name, 80)), deps.lifetime, (signal, report) =>
    useIncomplete(deps, submission, incompletePath, batch, { signal, onProgress: progress => tellProgress(progress, report) }),
  );
  await tellFetched({ ...fetched, path: fetched.joinedPath, name }, submission, reference);
}

/** Messages wait for the user; the command that shows them has ended. */
function background({ log }: FetchDependencies, shown: Promise<void>): void {
  shown.catch(error => {
    log.error('What followed a message failed', error);
    void showFailure(toLabel(error instanceof Error ? error.message : String(error), 600));
  });
}

function messageContext(): MessageContext {
  return { translate: vscode.l10n.t, locale: vscode.env.language };
}
