import path from 'node:path';
import * as vscode from 'vscode';
import { exists } from '../../../common/asking/newFile';
import type { ComparedResults } from '../../../jsonl/comparing/pairRows';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import type { JoinedResults } from '../../../jsonl/results/joinedResults';
import { ResultsIndex } from '../../../jsonl/results/resultsIndex';
import { nameOfResults } from '../../batches/api';
import {
  type ChosenResults,
  pathsOf,
  type Run,
  type RunResults,
  type Submission,
  type SubmissionRegistry,
  submissionFiles,
  toRuns,
} from '../../ledger';
import { findShown } from '../shownResults';
import type { SideFacts } from './comparePresentation';

/** One side of a comparison, with the chosen results. */
export interface ComparedSide {
  readonly run: Run;
  readonly withRetries: boolean;
  readonly facts: SideFacts;
  readonly results: ComparedResults;
}

export interface SideSource {
  readonly registry: SubmissionRegistry;
  readonly jobs: Pick<JsonlJobs, 'run'>;
  readonly signal: AbortSignal;
}

/** Returns the two sides of a comparison, the older run first. For two sides of one run, the results without retries come first. */
export async function toSides(
  { registry, jobs, signal }: SideSource,
  one: ChosenResults,
  other: ChosenResults,
): Promise<readonly [before: ComparedSide, after: ComparedSide]> {
  const runs = toRuns(registry.all());
  const toSide = async (choice: ChosenResults): Promise<ComparedSide> => {
    const { run, withRetries } = choice;
    const { results, submissions = [] } = findShown(registry, { runId: run.id, withRetries }) ?? {};
    if (results === undefined) {
      throw new Error(vscode.l10n.t('Fetch the results first.'));
    }
    const joined = await usableResults({ registry, jobs, signal }, results);
    const context = { translate: vscode.l10n.t, locale: vscode.env.language, now: Date.now() };
    return {
      ...{ run, withRetries },
      facts: {
        name: path.posix.basename(vscode.Uri.parse(run.source).path),
        title: nameOfResults(choice, runs, context),
        startedAt: run.startedAt,
        connection: run.connection,
        models: [...new Set(submissions.toReversed().flatMap(({ models = [] }) => models.map(([model]) => model)))],
      },
      results: { ...joined, sent: sentOf(registry, submissions) },
    };
  };
  const startOf = ({ run }: ChosenResults) => Date.parse(run.startedAt);
  const isOlder = startOf(one) === startOf(other) ? !one.withRetries : startOf(one) < startOf(other);
  const [older, newer] = isOlder ? [one, other] : [other, one];
  return [await toSide(older), await toSide(newer)];
}

function sentOf(registry: SubmissionRegistry, submissions: readonly Submission[]): NonNullable<ComparedResults['sent']> {
  return submissions.toReversed().map(({ id }) => ({
    hashesPath: path.join(registry.folder(id), submissionFiles.requestHashes),
    linesPath: path.join(registry.folder(id), submissionFiles.lines),
  }));
}

/**
 * Returns the joined results of a run. Joins the raw ones again if another run has replaced the file. Throws an error with a message for
 * the user if they are gone.
 */
async function usableResults({ registry, jobs, signal }: SideSource, results: RunResults): Promise<JoinedResults> {
  const folder = registry.folder(results.submissionId);
  const joined = pathsOf(registry, results);
  if (await ResultsIndex.fits(joined.indexPath, joined.joinedPath)) {
    return joined;
  }
  const rawPath = path.join(folder, submissionFiles.rawResults);
  if (results.indexName !== submissionFiles.resultsIndex || !(await exists(rawPath))) {
    throw new Error(vscode.l10n.t('The results file is missing or has changed. Fetch the results again.'));
  }
  const again = { joinedPath: path.join(folder, 'compared.results.jsonl'), indexPath: path.join(folder, 'compared.index') };
  await jobs.run('joinResults', { ...again, rawPath, linesPath: path.join(folder, submissionFiles.lines) }, { signal });
  return again;
}
