import path from 'node:path';
import * as vscode from 'vscode';
import { exists } from '../../../common/newFile';
import { showInformation } from '../../../common/notifications';
import { withProgress } from '../../../common/progress';
import { toLabel } from '../../../common/text';
import type { JsonlJobs } from '../../../jsonl/jobs';
import { describeRetry, failedCount } from '../fetching/resultsMessages';
import { placeForRetry } from '../fetching/resultsPlaces';
import { fileNameOf } from '../fetching/siblingNames';
import type { Submission } from '../ledger/submission';
import { submissionFiles } from '../ledger/submissionFile';
import type { SubmissionRegistry } from '../ledger/submissionRegistry';

export interface RetryDependencies {
  readonly jobs: Pick<JsonlJobs, 'writeRetryFile'>;
  readonly registry: SubmissionRegistry;
  readonly lifetime: AbortSignal;
}

/**
 * Writes the requests that errored, were canceled or expired to a new file beside the source and opens it. Throws a sentence
 * for the user when there are none, or the file they stand in is gone or is not what was sent.
 */
export async function writeFailedRequests({ jobs, registry, lifetime }: RetryDependencies, submission: Submission): Promise<void> {
  const { results } = submission;
  const name = toLabel(fileNameOf(submission.source), 80);
  if (results === undefined) {
    throw new Error(vscode.l10n.t('Fetch the results of {0} first: they say which requests failed.', name));
  }
  if (failedCount(results.report) === 0) {
    throw new Error(vscode.l10n.t('No request of {0} failed.', name));
  }
  const folder = registry.folder(submission.id);
  const sourcePath = await demandSource(submission, folder);
  const outPath = await placeForRetry(submission);
  const report = await withProgress(vscode.l10n.t('Writing the failed requests of {0}', name), lifetime, (signal, tell) =>
    jobs.writeRetryFile(
      {
        sourcePath,
        linesPath: path.join(folder, submissionFiles.lines),
        indexPath: path.join(folder, submissionFiles.resultsIndex),
        outPath,
        states: ['errored', 'canceled', 'expired'],
        sourceSha256: submission.sha256,
      },
      { signal, onProgress: ({ doneBytes, totalBytes }) => tell('', totalBytes === 0 ? 1 : doneBytes / totalBytes) },
    ),
  );
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(outPath));
  const context = { translate: vscode.l10n.t, locale: vscode.env.language };
  void showInformation(describeRetry(path.basename(outPath), report.written, results.report, report.sourceChanged, context));
}

async function demandSource(submission: Submission, folder: string): Promise<string> {
  const uri = vscode.Uri.parse(submission.source);
  const file = submission.fromEditor ? path.join(folder, submissionFiles.editorCopy) : uri.fsPath;
  if (!(await exists(file))) {
    throw new Error(vscode.l10n.t('{0} is not there any more. Its failed requests can be written only from it.', toLabel(file, 300)));
  }
  return file;
}
