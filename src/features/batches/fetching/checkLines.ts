import path from 'node:path';
import type { LinesFate } from '../../../jsonl/merging/mergingJobs';
import { sentPathOf, type Submission, submissionFiles } from '../../ledger';
import type { ResultsFileDependencies } from './resultsFile';

/** List of lines of a submission. `linesPath` is `undefined` if it is lost. */
export interface CheckedLines {
  readonly linesPath: string | undefined;
  readonly fate: LinesFate;
}

/** Checks the `lines.tsv` of a submission before it is used. Restores a damaged one, or removes it if it is lost (see `restoreLines`). */
export async function checkLines(
  { registry, jobs, log }: Pick<ResultsFileDependencies, 'jobs' | 'log'> & { readonly registry: { folder(id: string): string } },
  submission: Submission,
  signal: AbortSignal | undefined,
): Promise<CheckedLines> {
  const { id, fileBytes, sha256, selection, requestCount } = submission;
  const file = sentPathOf(registry, submission);
  const linesPath = path.join(registry.folder(id), submissionFiles.lines);
  const sent = file === undefined ? undefined : { path: file, fileBytes, sha256, selection };
  const fate = await jobs.run('restoreLines', { linesPath, requestCount, sent }, { signal });
  if (fate !== 'whole') {
    log.info(`The list of lines of submission ${id} was damaged or gone. ${fate === 'restored' ? 'It was written again.' : 'It is lost.'}`);
  }
  return { linesPath: fate === 'lost' ? undefined : linesPath, fate };
}
