import path from 'node:path';
import * as vscode from 'vscode';
import type { ComparedResults } from '../../../jsonl/comparing/comparingJobs';
import { loadRuns } from '../../batches';
import type { Run, RunResults } from '../../batches/ledger/runs';
import type { SubmissionRegistry } from '../../batches/ledger/submissionRegistry';
import type { SideFacts } from './comparePresentation';

/** One of two runs that are compared. */
export interface ComparedSide {
  readonly run: Run;
  readonly facts: SideFacts;
  readonly results: ComparedResults;
}

/**
 * The two sides of a comparison, the older one first. Generations of one run are compared by what each of them gave; other runs by what they
 * came to in the end.
 */
export async function toSides(
  registry: SubmissionRegistry,
  one: Run,
  other: Run,
): Promise<readonly [before: ComparedSide, after: ComparedSide]> {
  const { toRuns, generationsOf, finalResultsOf, resultsOf } = await loadRuns();
  const runs = toRuns(registry.all());
  const isFamily = generationsOf(runs, one).some(({ id }) => id === other.id);
  const [older, newer] = Date.parse(one.startedAt) <= Date.parse(other.startedAt) ? [one, other] : [other, one];
  const toSide = async (run: Run): Promise<ComparedSide> => {
    const results = isFamily ? resultsOf(run) : finalResultsOf(runs, run);
    if (results === undefined) {
      throw new Error(vscode.l10n.t('The results of this batch have not been fetched yet. Fetch them first.'));
    }
    const members = isFamily ? [run] : generationsOf(runs, run);
    return {
      run,
      facts: {
        name: path.posix.basename(vscode.Uri.parse(run.source).path),
        startedAt: run.startedAt,
        connection: run.connection,
        models: (run.lead.models ?? []).map(([model]) => model),
      },
      results: await toCompared(registry, results, members),
    };
  };
  return [await toSide(older), await toSide(newer)];
}

async function toCompared(registry: SubmissionRegistry, results: RunResults, members: readonly Run[]): Promise<ComparedResults> {
  const { submissionFiles } = await loadRuns();
  const sent = members.flatMap(({ submissions }) =>
    submissions.map(({ id }) => ({
      hashesPath: path.join(registry.folder(id), submissionFiles.requestHashes),
      linesPath: path.join(registry.folder(id), submissionFiles.lines),
    })),
  );
  const indexPath = path.join(registry.folder(results.submissionId), results.indexName);
  return { joinedPath: results.joinedPath, indexPath, sent };
}
