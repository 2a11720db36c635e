import path from 'node:path';
import type { RetryPlanSource } from '../../../jsonl/retrying/retryingJobs';
import type { SubmittedFile } from '../../../jsonl/retrying/submittedFile';
import {
  finalResultsOf,
  generationsOf,
  mayHaveBatch,
  type Run,
  type Submission,
  type SubmissionRegistry,
  submissionFiles,
} from '../../ledger';

/** A submitted file and where people find it. */
export interface RetryFile extends SubmittedFile {
  /** URI string of what the user sees; undefined for the copy of what stood in an editor. */
  readonly source: string | undefined;
}

export interface RetrySources {
  readonly root: Run;
  readonly files: readonly RetryFile[];
  readonly plan: Omit<RetryPlanSource, 'mostTokens' | 'now'>;
}

/**
 * What a plan is made from: the final results of a run, every file that was sent in its generations, and the batches among them that
 * have no results yet. Undefined when the run has no results.
 */
export function retrySourcesOf(
  runs: readonly Run[],
  run: Run,
  registry: Pick<SubmissionRegistry, 'folder'>,
  pathOf: (source: string) => string | undefined,
): RetrySources | undefined {
  const results = finalResultsOf(runs, run);
  const family = generationsOf(runs, run);
  const [root] = family;
  if (results === undefined || root === undefined) {
    return undefined;
  }
  const inFolder = (id: string, name: string) => path.join(registry.folder(id), name);
  // Not merged, the results are of this run alone.
  const merged = root.lead.merged?.runIds;
  const members = merged === undefined ? [run] : family.filter(({ id }) => merged.includes(id));
  // A part that came to nothing is sent by resuming its group.
  const files = members.flatMap(one => one.submissions.filter(mayHaveBatch).flatMap(submission => filesOf(submission, inFolder, pathOf)));
  const underWay = family.flatMap(({ submissions }) => submissions.filter(isUnderWay)).map(({ id }) => inFolder(id, submissionFiles.lines));
  const ends = members.flatMap(({ submissions }) => submissions.map(({ batch }) => Date.parse(batch?.ended_at ?? '')));
  const endedAt = Math.max(...ends.filter(end => !Number.isNaN(end)));
  return {
    root,
    files,
    plan: {
      joinedPath: results.joinedPath,
      indexPath: inFolder(results.submissionId, results.indexName),
      files: files.map(({ path, linesPath, sha256 }) => ({ path, linesPath, sha256 })),
      underWay,
      endedAt: Number.isFinite(endedAt) ? endedAt : undefined,
    },
  };
}

/** The copy of what stood in an editor comes before the file, which may have been saved and mended since. */
function filesOf(
  { id, source, sha256, fromEditor }: Submission,
  inFolder: (id: string, name: string) => string,
  pathOf: (source: string) => string | undefined,
): readonly RetryFile[] {
  const linesPath = inFolder(id, submissionFiles.lines);
  const file = pathOf(source);
  const copy = fromEditor ? [{ path: inFolder(id, submissionFiles.editorCopy), linesPath, sha256, source: undefined }] : [];
  return [...copy, ...(file === undefined ? [] : [{ path: file, linesPath, sha256, source }])];
}

/** What may still be answered, and paid for: also a part of a group of which others have results. */
function isUnderWay(submission: Submission): boolean {
  return submission.deleted !== true && submission.results === undefined && mayHaveBatch(submission);
}
