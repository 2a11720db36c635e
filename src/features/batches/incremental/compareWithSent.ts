import path from 'node:path';
import * as vscode from 'vscode';
import { exists } from '../../../common/asking/newFile';
import type { JobOptions } from '../../../jsonl/jobs/jobs';
import type { ChangedRequests, ChangedSource } from '../../../jsonl/merging/mergingJobs';
import { toLabel } from '../../../shared/text';
import { hashSubmitted, isDerivedRetry, runOf, type Submission, submissionFiles } from '../../ledger';
import type { BatchDependencies } from '../batchDependencies';
import type { Earlier } from './earlierOf';
import { sourcePathOf } from '../sourcePath';

type CompareDependencies = Pick<BatchDependencies, 'registry' | 'jobs'>;

/**
 * Finds the requests of a checked file that have no success for what they say now. Throws a sentence if it isn't known which requests an
 * earlier batch was made of.
 */
export async function compareWithSent(
  deps: CompareDependencies,
  file: string,
  { submissions }: Pick<Earlier, 'submissions'>,
  options: JobOptions,
): Promise<ChangedRequests> {
  const { registry, jobs } = deps;
  const before: ChangedSource['before'][number][] = [];
  for (const submission of submissions) {
    const linesPath = path.join(registry.folder(submission.id), submissionFiles.lines);
    if (!(await exists(linesPath))) {
      throw new Error(
        vscode.l10n.t(
          "This machine doesn't know which requests batch {0} was made of, so it can't find what changed since.",
          toLabel(submission.batchId ?? '', 80),
        ),
      );
    }
    const hashesPath = await hashSubmitted({ registry, jobs, toPath: sourcePathOf }, submission, options.signal);
    const results = resultsOf(deps, submission);
    before.push({
      linesPath,
      isRetry: isDerivedRetry({ follows: submission.follows, lead: submission }, registry.all()),
      ...(hashesPath !== undefined && { hashesPath }),
      ...(results !== undefined && (await exists(results.joinedPath)) && { results }),
    });
  }
  return await jobs.run('findChanged', { path: file, before }, options);
}

/** Returns the batches of earlier runs whose results aren't on this machine. */
export async function findUnfetched(deps: CompareDependencies, { submissions }: Earlier): Promise<readonly Submission[]> {
  const missing: Submission[] = [];
  for (const submission of submissions) {
    const results = resultsOf(deps, submission);
    if (submission.deleted !== true && (results === undefined || !(await exists(results.joinedPath)))) {
      missing.push(submission);
    }
  }
  return missing;
}

/** Returns the joined results of a submission: its own, or those of its group. */
function resultsOf({ registry }: CompareDependencies, submission: Submission): ChangedSource['before'][number]['results'] {
  const current = registry.find(submission.id) ?? submission;
  const indexOf = (id: string, name: string) => path.join(registry.folder(id), name);
  if (current.results !== undefined) {
    return { joinedPath: current.results.joinedPath, indexPath: indexOf(current.id, submissionFiles.resultsIndex) };
  }
  const lead = current.group && runOf(registry.all(), current)?.lead;
  return lead?.groupResults && { joinedPath: lead.groupResults.joinedPath, indexPath: indexOf(lead.id, submissionFiles.groupIndex) };
}
