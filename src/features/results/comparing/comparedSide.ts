import path from 'node:path';
import * as vscode from 'vscode';
import { exists } from '../../../common/asking/newFile';
import { describeTime } from '../../../common/text/presentation';
import type { ComparedResults } from '../../../jsonl/comparing/comparingJobs';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import type { JoinedResults } from '../../../jsonl/results/joinedResults';
import { ResultsIndex } from '../../../jsonl/results/resultsIndex';
import { toLabel } from '../../../shared/text';
import {
  finalResultsOf,
  generationsOf,
  type Run,
  type RunResults,
  resultsOf,
  type SubmissionRegistry,
  submissionFiles,
  toRuns,
} from '../../ledger';
import type { SideFacts } from './comparePresentation';

/** One of two runs that are compared. */
export interface ComparedSide {
  readonly run: Run;
  readonly facts: SideFacts;
  readonly results: ComparedResults;
}

export interface SideSource {
  readonly registry: SubmissionRegistry;
  readonly jobs: Pick<JsonlJobs, 'joinResults'>;
  readonly signal: AbortSignal;
}

/**
 * The two sides of a comparison, the older one first. Generations of one run are compared by what each of them gave; other runs by what they
 * came to in the end.
 */
export async function toSides(
  { registry, jobs, signal }: SideSource,
  one: Run,
  other: Run,
): Promise<readonly [before: ComparedSide, after: ComparedSide]> {
  const runs = toRuns(registry.all());
  const isFamily = generationsOf(runs, one).some(({ id }) => id === other.id);
  const [older, newer] = Date.parse(one.startedAt) <= Date.parse(other.startedAt) ? [one, other] : [other, one];
  const toSide = async (run: Run): Promise<ComparedSide> => {
    const results = isFamily ? resultsOf(run) : finalResultsOf(runs, run);
    if (results === undefined) {
      throw new Error(vscode.l10n.t('The results of this batch have not been fetched yet. Fetch them first.'));
    }
    const joined = await usableResults({ registry, jobs, signal }, run, results);
    const members = isFamily ? [run] : generationsOf(runs, run);
    return {
      run,
      facts: {
        name: path.posix.basename(vscode.Uri.parse(run.source).path),
        startedAt: run.startedAt,
        connection: run.connection,
        models: [
          ...new Set(members.flatMap(({ submissions }) => submissions.flatMap(({ models = [] }) => models.map(([model]) => model)))),
        ],
      },
      results: { ...joined, sent: await sentOf(registry, members) },
    };
  };
  return [await toSide(older), await toSide(newer)];
}

async function sentOf(registry: SubmissionRegistry, members: readonly Run[]): Promise<NonNullable<ComparedResults['sent']>> {
  return members.flatMap(({ submissions }) =>
    submissions.map(({ id }) => ({
      hashesPath: path.join(registry.folder(id), submissionFiles.requestHashes),
      linesPath: path.join(registry.folder(id), submissionFiles.lines),
    })),
  );
}

/**
 * The joined results of a run. Where another run of the same file took their name, they are joined once more from what the service gave,
 * in the folder of the submission. Throws a sentence when they are gone.
 */
async function usableResults({ registry, jobs, signal }: SideSource, run: Run, results: RunResults): Promise<JoinedResults> {
  const folder = registry.folder(results.submissionId);
  const joined = { joinedPath: results.joinedPath, indexPath: path.join(folder, results.indexName) };
  const isWhole = await ResultsIndex.open(joined.indexPath, joined.joinedPath).then(
    () => true,
    () => false,
  );
  if (isWhole) {
    return joined;
  }
  const rawPath = path.join(folder, submissionFiles.rawResults);
  if (results.indexName !== submissionFiles.resultsIndex || !(await exists(rawPath))) {
    const time = describeTime(run.startedAt, { locale: vscode.env.language });
    const name = toLabel(path.basename(results.joinedPath), 80);
    throw new Error(vscode.l10n.t('The results of {0} were replaced or are gone: {1} holds others now. Fetch them again.', time, name));
  }
  const again = { joinedPath: path.join(folder, 'compared.results.jsonl'), indexPath: path.join(folder, 'compared.index') };
  await jobs.joinResults({ ...again, rawPath, linesPath: path.join(folder, submissionFiles.lines) }, { signal });
  return again;
}
