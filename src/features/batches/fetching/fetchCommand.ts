import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { askWhere } from '../../../common/asking/newFile';
import { askModal, type Offer, offer, showFailure, showInformation, showWarning } from '../../../common/asking/notifications';
import { withProgress } from '../../../common/asking/progress';
import { runCommand } from '../../../common/commands';
import { describeError } from '../../../common/text/describeError';
import { stampOfFile } from '../../../jsonl/files/publishing';
import type { ResultsReport } from '../../../jsonl/results/resultsReport';
import { join, toByteSize, toLabel } from '../../../shared/text';
import { isForeign, type Run } from '../../ledger';
import type { BatchDependencies } from '../batchDependencies';
import { nameOfRun } from '../sourceNames';
import { type MessageContext, toSentence } from '../submitting/createBatchMessages';
import { describeMoved, describeResults, describeResultsDetails, ResultsFetchError } from './fetchMessages';
import { fetchResults } from './fetchResults';
import { type FetchedRun, fetchRun, retrieveBatch } from './fetchRun';
import { resultsNameOf } from './resultsFile';

type FetchDependencies = BatchDependencies & { readonly busy: Set<string> };

/**
 * Fetches the results of a run and reports the outcome. Results of a batch created elsewhere are saved to a file that the user chooses.
 * Throws the error of the service or the disk if nothing could be fetched.
 */
export async function fetchCommand(deps: FetchDependencies, run: Run, options: { usesIncomplete?: boolean } = {}): Promise<void> {
  const { busy, lifetime } = deps;
  const name = nameOfRun(deps.registry, run);
  if (busy.has(run.id)) {
    void showInformation(vscode.l10n.t('Already fetching the results of {0}.', name));
    return;
  }
  busy.add(run.id);
  try {
    if (isForeign(run)) {
      await fetchForeign(deps, run, name);
      return;
    }
    const fetched = await withProgress(vscode.l10n.t('Fetching results of {0}', name), lifetime, (signal, report) =>
      fetchRun(deps, run, {
        ...options,
        signal,
        onProgress: ({ part, share }) => report(describeProgress(run, part), share),
      }),
    );
    const [failure] = fetched.failed;
    if (fetched.results === undefined && failure !== undefined && !isCut(failure.error)) {
      throw failure.error;
    }
    background(deps, reportFetched(deps, run, name, fetched));
  } finally {
    busy.delete(run.id);
  }
}

function describeProgress({ parts }: Run, part: number | undefined): string {
  if (part === undefined) {
    return vscode.l10n.t('Verifying and joining results');
  }
  return parts === 1 ? '' : vscode.l10n.t('part {0} of {1}', part + 1, parts);
}

function isCut(error: unknown): error is ResultsFetchError {
  return error instanceof ResultsFetchError && error.kind === 'cut';
}

async function fetchForeign(deps: FetchDependencies, run: Run, name: string): Promise<void> {
  const { client, batch } = await retrieveBatch(deps, { connection: run.connection, batchId: run.id });
  if (batch.processing_status !== 'ended') {
    background(deps, reportNotEnded(run, name));
    return;
  }
  const rawPath = await askWhere(resultsNameOf(run.id), vscode.l10n.t('Save Results'));
  const rawTarget = { stamp: await stampOfFile(rawPath) };
  // The joined file that verification writes is temporary, because it is useless without the request file.
  const folder = await mkdtemp(path.join(tmpdir(), 'managed-agents-'));
  try {
    const { jobs, lifetime } = deps;
    const { language } = vscode.env;
    const fetched = await withProgress(vscode.l10n.t('Fetching results of {0}', name), lifetime, (signal, report) =>
      fetchResults({
        ...{ client, batch, jobs, rawPath, rawTarget, signal },
        joinedPath: path.join(folder, 'joined.jsonl'),
        indexPath: path.join(folder, 'joined.index'),
        onProgress: ({ phase, doneBytes, totalBytes }) =>
          report(
            phase === 'joining' ? describeProgress(run, undefined) : vscode.l10n.t('{0} received', toByteSize(doneBytes, language)),
            totalBytes ? doneBytes / totalBytes : undefined,
          ),
      }),
    );
    const file = vscode.Uri.file(fetched.rawPath);
    const show: Offer = [vscode.l10n.t('Show Results'), () => runCommand('managedAgents.results.show', file)];
    background(deps, offer(showInformation, describeResults(name, fetched.report, messageContext()), show));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function reportNotEnded({ submissions, parts }: Run, name: string): Promise<void> {
  const { t } = vscode.l10n;
  await showInformation(
    parts === 1
      ? t("Batch {0} hasn't ended yet, so it has no results.", toLabel(submissions[0]?.batchId ?? name, 80))
      : t('No batch of {0} has ended yet, so there are no results.', name),
  );
}

/** Reports fetched and missing results, and offers next steps. Settles when the user has closed the message. */
async function reportFetched(deps: FetchDependencies, run: Run, name: string, fetched: FetchedRun): Promise<void> {
  const { t } = vscode.l10n;
  const { results, failed, best } = fetched;
  if (results === undefined && failed.length === 0) {
    await reportNotEnded(run, name);
    return;
  }
  const isComplete = results?.report.complete ?? true;
  const hasIncomplete = failed.some(({ error }) => isCut(error) && error.incompletePath !== undefined);
  for (const { error } of failed) {
    deps.log.error(`Results of ${run.source} could not be fetched`, error);
  }
  const message = describeFetched(run, name, fetched);
  const showMessage =
    results === undefined
      ? showFailure
      : isComplete && failed.length === 0 && fetched.fileError === undefined
        ? showInformation
        : showWarning;
  const showDetails = async (report: ResultsReport) => {
    const notes = report.countsMatch ? [] : [t('The service reports different counts for this batch.')];
    await askModal(message, { detail: [...describeResultsDetails(report, messageContext()), ...notes].join('\n\n') });
  };
  const shown = { runId: run.id, withRetries: best !== undefined };
  await offer(
    showMessage,
    message,
    failed.length > 0 && [t('Try Again'), () => runCommand('managedAgents.batch.fetchResults', { runId: run.id })],
    hasIncomplete && [t('Use Incomplete Results'), () => fetchCommand(deps, run, { usesIncomplete: true })],
    results && [t('Show Results'), () => runCommand('managedAgents.results.show', shown)],
    results && !isComplete && [t('Show Details'), () => showDetails(results.report)],
  );
}

function describeFetched(run: Run, name: string, fetched: FetchedRun): string {
  const { t } = vscode.l10n;
  const { results, failed, notes, best, fileError } = fetched;
  const sentenceOf = (error: unknown) => toSentence(toLabel(describeError(error), 300));
  const failures = failed.map(({ index, error }) =>
    run.parts === 1 ? sentenceOf(error) : t('Part {0}: {1}', index + 1, sentenceOf(error)),
  );
  if (results === undefined) {
    return failures.join(' ');
  }
  return join(
    ' ',
    describeResults(name, results.report, messageContext()),
    fetched.fetched.length === run.parts ? '' : t('These are the results of {0} of {1} parts.', fetched.fetched.length, run.parts),
    ...notes,
    describeMoved(best?.movedTo, messageContext()),
    fileError === undefined ? '' : t("Couldn't update the results file: {0}", sentenceOf(fileError)),
    ...failures,
  );
}

/** Logs and shows the failure of a message's action. The command doesn't wait until the user closes the message. */
function background({ log }: FetchDependencies, shown: Promise<void>): void {
  shown.catch(error => {
    log.error('The action of a message failed', error);
    void showFailure(toLabel(describeError(error), 600));
  });
}

function messageContext(): MessageContext {
  return { translate: vscode.l10n.t, locale: vscode.env.language };
}
