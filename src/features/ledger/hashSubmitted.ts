import { stat } from 'node:fs/promises';
import path from 'node:path';
import { describeError } from '../../common/text/describeError';
import type { JsonlJobs } from '../../jsonl/jobs/jobs';
import { toRuns } from './runs';
import type { Submission } from './submission';
import { sentPathOf, submissionFiles } from './submissionFile';
import type { SubmissionRegistry } from './submissionRegistry';

interface HashDependencies {
  readonly registry: Pick<SubmissionRegistry, 'all' | 'folder'>;
  readonly jobs: Pick<JsonlJobs, 'run'>;
  readonly log: { warn(message: string): void };
}

/**
 * Hashes a submission's requests for later comparisons. Returns the path of the hashes, or `undefined` if the sent file has changed or is
 * missing.
 */
export async function hashSubmitted(
  { registry, jobs }: Omit<HashDependencies, 'log'>,
  submission: Submission,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const { id, fileBytes, sha256 } = submission;
  const folder = registry.folder(id);
  const hashesPath = path.join(folder, submissionFiles.requestHashes);
  const linesPath = path.join(folder, submissionFiles.lines);
  if ((await sizeOf(hashesPath)) !== undefined) {
    return hashesPath;
  }
  const file = sentPathOf(registry, submission);
  if (file === undefined || (await sizeOf(file)) !== fileBytes || (await sizeOf(linesPath)) === undefined) {
    return undefined;
  }
  try {
    await jobs.run('hashRequests', { path: file, linesPath, sha256, hashesPath }, { signal });
    return hashesPath;
  } catch (error) {
    if (error instanceof Error && error.name === 'SourceChangedError') {
      return undefined;
    }
    throw error;
  }
}

/** Hashes the newest run of each file, one submission at a time. Logs errors. */
export async function hashNewest(deps: HashDependencies, signal: AbortSignal): Promise<void> {
  const visited = new Set<string>();
  for (const run of toRuns(deps.registry.all())) {
    if (visited.has(run.source) || !run.submissions.some(wasSent)) {
      continue;
    }
    visited.add(run.source);
    for (const submission of run.submissions.filter(wasSent)) {
      if (signal.aborted) {
        return;
      }
      await hashSubmitted(deps, submission, signal).catch((error: unknown) => {
        if (!signal.aborted) {
          deps.log.warn(`The requests of ${submission.batchId ?? submission.id} can't be compared later: ${describeError(error)}`);
        }
      });
    }
  }
}

/** Returns whether the whole body was sent. If so, the list of lines is complete and there may be a batch. */
function wasSent({ state, handedOut }: Submission): boolean {
  return state === 'created' || (handedOut === true && (state === 'sending' || state === 'unknown'));
}

async function sizeOf(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.size;
}
