import path from 'node:path';
import type { RetryPlanSource } from '../../../jsonl/retrying/planRetry';
import type { SubmittedFile } from '../../../jsonl/retrying/findSubmitted';
import {
  finalResultsOf,
  generationsOf,
  mayHaveBatch,
  pathsOf,
  sourcePathOf,
  type Run,
  type Submission,
  type SubmissionRegistry,
  submissionFiles,
} from '../../ledger';

/** Submitted file with its URI. */
export interface RetryFile extends SubmittedFile {
  /** URI string of the file. `undefined` for a copy of unsaved text. */
  readonly source: string | undefined;
}

export interface RetrySources {
  readonly root: Run;
  readonly files: readonly RetryFile[];
  readonly plan: Omit<RetryPlanSource, 'mostTokens' | 'now'>;
}

/** Returns the input of a plan: the final results of a run, the sent files, and pending batches. `undefined` without results. */
export function retrySourcesOf(runs: readonly Run[], run: Run, registry: Pick<SubmissionRegistry, 'folder'>): RetrySources | undefined {
  const results = finalResultsOf(runs, run);
  const family = generationsOf(runs, run);
  const [root] = family;
  if (results === undefined || root === undefined) {
    return undefined;
  }
  const inFolder = (id: string, name: string) => path.join(registry.folder(id), name);
  // Results that aren't merged cover this run only.
  const merged = root.lead.merged?.runIds;
  const members = merged === undefined ? [run] : family.filter(({ id }) => merged.includes(id));
  // Leaves out parts without a batch: resuming the group sends them.
  const files = members.flatMap(one => one.submissions.filter(mayHaveBatch).flatMap(submission => filesOf(submission, inFolder)));
  const underWay = family.flatMap(({ submissions }) => submissions.filter(isUnderWay)).map(({ id }) => inFolder(id, submissionFiles.lines));
  const ends = members.flatMap(({ submissions }) => submissions.map(({ batch }) => Date.parse(batch?.ended_at ?? '')));
  const endedAt = Math.max(...ends.filter(end => !Number.isNaN(end)));
  return {
    root,
    files,
    plan: {
      ...pathsOf(registry, results),
      files: files.map(({ path, linesPath, sha256 }) => ({ path, linesPath, sha256 })),
      underWay,
      endedAt: Number.isFinite(endedAt) ? endedAt : undefined,
    },
  };
}

/** Returns the sent files. The copy of unsaved text comes first, because its file may have been saved and fixed since. */
function filesOf({ id, source, sha256, fromEditor }: Submission, inFolder: (id: string, name: string) => string): readonly RetryFile[] {
  const linesPath = inFolder(id, submissionFiles.lines);
  const file = sourcePathOf(source);
  const copy = fromEditor ? [{ path: inFolder(id, submissionFiles.editorCopy), linesPath, sha256, source: undefined }] : [];
  return [...copy, ...(file === undefined ? [] : [{ path: file, linesPath, sha256, source }])];
}

/** Returns whether a submission may still produce answers and costs. Other parts of its group may have results already. */
function isUnderWay(submission: Submission): boolean {
  return submission.deleted !== true && submission.results === undefined && mayHaveBatch(submission);
}
