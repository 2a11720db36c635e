import path from 'node:path';
import * as vscode from 'vscode';
import { chooseFile } from '../../common/asking/chooseFile';
import { placeForNewFile } from '../../common/asking/newFile';
import { showInformation } from '../../common/asking/notifications';
import { toReport, withProgress } from '../../common/asking/progress';
import { expectationsNameOf } from '../../jsonl/expecting/expectationsName';
import type { JsonlJobs } from '../../jsonl/jobs/jobs';
import { toLabel } from '../../shared/text';
import { resultsOfSource, type SubmissionRegistry } from '../ledger';

export interface CreateExpectationsDependencies {
  readonly jobs: JsonlJobs;
  readonly registry: SubmissionRegistry;
  readonly lifetime: AbortSignal;
}

/**
 * Writes a first file of expectations beside a request file, from its results when they were fetched, and opens it. Without a file the
 * one that is shown is meant, else the user chooses. Throws `CancelledError`, and what reading and writing throw.
 */
export async function createExpectations(
  { jobs, registry, lifetime }: CreateExpectationsDependencies,
  file: vscode.Uri | undefined,
): Promise<void> {
  await registry.reload();
  const source = await chooseFile(file, {
    question: vscode.l10n.t('Write down what is expected of the answers to which file?'),
    openLabel: vscode.l10n.t('Expect'),
    fits: ({ path: name }) => !name.endsWith('.expect.jsonl'),
  });
  if (source.scheme !== 'file') {
    throw new Error(vscode.l10n.t('Save the file on this machine first: the expectations stand beside it.'));
  }
  const name = path.basename(source.fsPath);
  const outPath = await placeForNewFile({
    beside: source,
    name: expectationsNameOf(name),
    title: vscode.l10n.t('Save the Expectations'),
  });
  const results = resultsOfSource(registry.all(), source.toString())?.results;
  const written = await withProgress(vscode.l10n.t('Writing expectations for {0}', toLabel(name, 80)), lifetime, (signal, report) =>
    jobs.run(
      'writeExpectations',
      {
        results: results && {
          joinedPath: results.joinedPath,
          indexPath: path.join(registry.folder(results.submissionId), results.indexName),
        },
        requestsPath: source.fsPath,
        outPath,
      },
      { signal, onProgress: toReport(report) },
    ),
  );
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(outPath));
  void showInformation(
    results === undefined
      ? vscode.l10n.t('One line holds for all answers. Add others with a custom_id and contains, pattern, equals or json_schema.')
      : toWrittenSentence(written),
  );
}

function toWrittenSentence(answers: number): string {
  const { t } = vscode.l10n;
  switch (answers) {
    case 0:
      return t('No answer is short enough to be expected word for word. Add lines with a custom_id and contains, pattern or json_schema.');
    case 1:
      return t('1 short answer has a line. Change what you expect, then run the tests in the Testing view.');
    default:
      return t('{0} short answers have a line. Change what you expect, then run the tests in the Testing view.', answers);
  }
}
