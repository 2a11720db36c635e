import path from 'node:path';
import type { Log } from '../../../common/log';
import { stampOfFile } from '../../../jsonl/files/publishing';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import type { LinesFate } from '../../../jsonl/merging/mergingJobs';
import { type Submission, type SubmissionRegistry, submissionFiles } from '../../ledger';

export interface MendDependencies {
  readonly registry: Pick<SubmissionRegistry, 'folder'>;
  readonly jobs: Pick<JsonlJobs, 'run'>;
  readonly log: Pick<Log, 'info'>;
  /** The path of a source given as a URI string; undefined when it is no file of this machine. */
  readonly toPath: (source: string) => string | undefined;
}

/** Makes sure that the list of lines of a submission can be used or is not there; see `restoreLines`. Tells the log when it was damaged. */
export async function mendLines(
  { registry, jobs, log, toPath }: MendDependencies,
  submission: Submission,
  signal?: AbortSignal,
): Promise<LinesFate> {
  const { id, source, fromEditor, fileBytes, sha256, selection, requestCount } = submission;
  const folder = registry.folder(id);
  const file = fromEditor ? path.join(folder, submissionFiles.editorCopy) : toPath(source);
  const fate = await jobs.run(
    'restoreLines',
    {
      linesPath: path.join(folder, submissionFiles.lines),
      requestCount,
      ...(file !== undefined && { sent: { path: file, fileBytes, sha256, ...(selection && { selection }) } }),
    },
    { signal },
  );
  if (fate !== 'whole') {
    log.info(`The list of lines of submission ${id} was damaged or gone. ${fate === 'restored' ? 'It was made again.' : 'It is lost.'}`);
  }
  return fate;
}

/** Where the list of lines of a submission is; undefined when it is lost. */
export type LinesOf = (submission: Submission) => Promise<string | undefined>;

/**
 * Merges by the lists of lines of submissions. Where one of them cannot be used all are mended, and it is merged by those that are left, at
 * last by none. Answers what was merged, and the worst of what became of the lists.
 */
export async function mergeMending<T>(
  submissions: readonly Submission[],
  registry: MendDependencies['registry'],
  mend: (submission: Submission) => Promise<LinesFate>,
  merge: (linesOf: LinesOf) => Promise<T>,
): Promise<{ readonly merged: T; readonly lines: LinesFate | undefined }> {
  const first = await unlessLinesAreDamaged(merge(async ({ id }) => path.join(registry.folder(id), submissionFiles.lines)));
  if (first !== undefined) {
    return { ...first, lines: undefined };
  }
  let lines: LinesFate | undefined;
  for (const submission of submissions) {
    lines = worse(lines, await mend(submission));
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

/** What is worth telling of two lists: one that is lost rather than one that was made again. */
export function worse(one: LinesFate | undefined, other: LinesFate | undefined): LinesFate | undefined {
  return [one, other].find(fate => fate === 'lost') ?? [one, other].find(fate => fate === 'restored');
}

/** Where the list of lines of a submission is; undefined when there is none. */
export async function linesPathOf(
  { registry }: Pick<MendDependencies, 'registry'>,
  { id }: Pick<Submission, 'id'>,
): Promise<string | undefined> {
  const linesPath = path.join(registry.folder(id), submissionFiles.lines);
  return (await stampOfFile(linesPath)) === undefined ? undefined : linesPath;
}

/** Whether an error says that a list of lines cannot be used. */
export function isLineMapError(error: unknown): boolean {
  return error instanceof Error && error.name === 'LineMapError';
}
