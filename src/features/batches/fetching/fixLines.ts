import path from 'node:path';
import type { Log } from '../../../common/log';
import { stampOfFile } from '../../../jsonl/files/publishing';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import type { LinesFate } from '../../../jsonl/merging/mergingJobs';
import { sentPathOf, type Submission, type SubmissionRegistry, submissionFiles } from '../../ledger';

export interface FixDependencies {
  readonly registry: Pick<SubmissionRegistry, 'folder'>;
  readonly jobs: Pick<JsonlJobs, 'run'>;
  readonly log: Pick<Log, 'info'>;
}

/** Restores a damaged `lines.tsv` of a submission, or removes it if it can't be restored; see `restoreLines`. */
export async function fixLines({ registry, jobs, log }: FixDependencies, submission: Submission, signal?: AbortSignal): Promise<LinesFate> {
  const { id, fileBytes, sha256, selection, requestCount } = submission;
  const file = sentPathOf(registry, submission);
  const fate = await jobs.run(
    'restoreLines',
    {
      linesPath: path.join(registry.folder(id), submissionFiles.lines),
      requestCount,
      ...(file !== undefined && { sent: { path: file, fileBytes, sha256, ...(selection && { selection }) } }),
    },
    { signal },
  );
  if (fate !== 'whole') {
    log.info(`The list of lines of submission ${id} was damaged or gone. ${fate === 'restored' ? 'It was written again.' : 'It is lost.'}`);
  }
  return fate;
}

/** Returns the path of a submission's `lines.tsv`, or `undefined` if the file is lost. */
export type LinesOf = (submission: Submission) => Promise<string | undefined>;

/** Runs `merge` with the lists of lines. If one is damaged, fixes all and merges again. Also returns the worst result of the fixes. */
export async function mergeFixing<T>(
  submissions: readonly Submission[],
  registry: FixDependencies['registry'],
  fix: (submission: Submission) => Promise<LinesFate>,
  merge: (linesOf: LinesOf) => Promise<T>,
): Promise<{ readonly merged: T; readonly lines: LinesFate | undefined }> {
  const first = await unlessLinesAreDamaged(merge(async ({ id }) => path.join(registry.folder(id), submissionFiles.lines)));
  if (first !== undefined) {
    return { ...first, lines: undefined };
  }
  let lines: LinesFate | undefined;
  for (const submission of submissions) {
    lines = worse(lines, await fix(submission));
  }
  const second = await unlessLinesAreDamaged(merge(submission => linesPathOf({ registry }, submission)));
  return second === undefined ? { merged: await merge(async () => undefined), lines: 'lost' } : { ...second, lines };
}

async function unlessLinesAreDamaged<T>(merging: Promise<T>): Promise<{ readonly merged: T } | undefined> {
  try {
    return { merged: await merging };
  } catch (error) {
    if (!isLineMapError(error)) {
      throw error;
    }
    return undefined;
  }
}

/** Returns the worse result of fixing two lists of lines, or `undefined` if both were intact. */
export function worse(one: LinesFate | undefined, other: LinesFate | undefined): LinesFate | undefined {
  return [one, other].find(fate => fate === 'lost') ?? [one, other].find(fate => fate === 'restored');
}

/** Returns the path of a submission's `lines.tsv`, or `undefined` if there is none. */
export async function linesPathOf(
  { registry }: Pick<FixDependencies, 'registry'>,
  { id }: Pick<Submission, 'id'>,
): Promise<string | undefined> {
  const linesPath = path.join(registry.folder(id), submissionFiles.lines);
  return (await stampOfFile(linesPath)) === undefined ? undefined : linesPath;
}

/** Returns whether an error means that a list of lines can't be used. */
export function isLineMapError(error: unknown): boolean {
  return error instanceof Error && error.name === 'LineMapError';
}
