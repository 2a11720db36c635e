import path from 'node:path';
import type { Log } from '../../../common/log';
import type { JsonlJobs } from '../../../jsonl/jobs';
import type { LinesFate } from '../../../jsonl/merging/mergingJobs';
import { stampOfFile } from '../../../jsonl/publishing';
import type { Submission } from '../ledger/submission';
import { submissionFiles } from '../ledger/submissionFile';
import type { SubmissionRegistry } from '../ledger/submissionRegistry';

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
