import path from 'node:path';
import type { LinesFate, MergeSource } from '../../../jsonl/merging/mergingJobs';
import { type Run, type RunResults, resultsOf, runOf, type Submission, type SubmissionRegistry, submissionFiles } from '../../ledger';
import { type FetchPartDependencies, type FetchPartOptions, fetchPart } from './fetchPart';
import { fixLines, mergeFixing, worse } from './fixLines';
import { type BestResults, updateResultsFile } from './resultsFile';

export interface FetchRunDependencies extends FetchPartDependencies {
  readonly registry: Pick<SubmissionRegistry, 'all' | 'find' | 'load' | 'reload' | 'folder' | 'root' | 'update'>;
}

export interface FetchRunOptions extends Omit<FetchPartOptions, 'onProgress'> {
  /** `share` is from 0 to 1. `part` is the 0-based part that is being fetched, or `undefined` while results are joined. */
  readonly onProgress?: (progress: { readonly part: number | undefined; readonly share: number }) => void;
}

/** Results of a run on this machine. Part numbers are 0-based. */
export interface FetchedRun {
  /** Results of all fetched parts. `undefined` if no part has any. */
  readonly results: RunResults | undefined;
  /** Parts that `results` includes. */
  readonly fetched: readonly number[];
  readonly failed: readonly { readonly index: number; readonly error: unknown }[];
  /** Parts whose results were on this machine and damaged. */
  readonly fixed: readonly number[];
  /** Worst fate of the lists of lines if one was damaged. */
  readonly lines: LinesFate | undefined;
  /** Reason why the joined file has no requests although they were wanted. */
  readonly requestsLeftOut: string | undefined;
  /** Best results after the fetch. */
  readonly best: BestResults | undefined;
  /** Error of updating the results file. */
  readonly fileError: unknown;
}

/**
 * Fetches the results of all ended parts of a run, joins them in the order of the request file, and updates its results file. Results that
 * are on this machine aren't fetched again. If one part fails, the others are still fetched. Shows no user interface. Throws the signal's
 * reason.
 */
export async function fetchRun(deps: FetchRunDependencies, run: Run, options: FetchRunOptions): Promise<FetchedRun> {
  const { registry } = deps;
  const { signal, onProgress } = options;
  const fetched: Submission[] = [];
  const failed: { readonly index: number; readonly error: unknown }[] = [];
  const fixed: number[] = [];
  let lines: LinesFate | undefined;
  let requestsLeftOut: string | undefined;
  const of = run.submissions.length;
  for (const [done, submission] of run.submissions.entries()) {
    signal.throwIfAborted();
    const index = submission.group?.index ?? 0;
    const tell = (share: number) => onProgress?.({ part: index, share: (done + share) / (of + 1) });
    tell(0);
    try {
      const part = await fetchPart(deps, submission, {
        ...options,
        onProgress: ({ phase, doneBytes, totalBytes }) => {
          const half = totalBytes === undefined || totalBytes === 0 ? 0 : doneBytes / totalBytes / 2;
          tell(phase === 'joining' ? 0.5 + half : half);
        },
      });
      if (part !== undefined) {
        fetched.push(part.submission);
        lines = worse(lines, part.lines);
        requestsLeftOut ??= part.requestsLeftOut;
        fixed.push(...(part.isFixed ? [index] : []));
      }
    } catch (error) {
      signal.throwIfAborted();
      failed.push({ index, error });
    }
  }
  const joining = {
    signal,
    onProgress: ({ doneBytes, totalBytes }: { readonly doneBytes: number; readonly totalBytes: number }) =>
      onProgress?.({ part: undefined, share: (of + (totalBytes === 0 ? 1 : doneBytes / totalBytes)) / (of + 1) }),
  };
  if (fetched.length > 0 && run.parts > 1) {
    lines = worse(lines, await joinParts(deps, run.lead.id, fetched, joining));
  }
  const now = runOf(registry.all(), run.lead) ?? run;
  const results = fetched.length === 0 ? undefined : resultsOf(now);
  let best: BestResults | undefined;
  let fileError: unknown;
  try {
    best = results && (await updateResultsFile(deps, now, joining));
  } catch (error) {
    signal.throwIfAborted();
    fileError = error;
  }
  return { results, fetched: fetched.map(({ group }) => group?.index ?? 0), failed, fixed, lines, requestsLeftOut, best, fileError };
}

/** Joins the results of several parts into one file, in the ledger's folder of the first part. */
async function joinParts(
  deps: FetchRunDependencies,
  leadId: string,
  parts: readonly Submission[],
  options: Parameters<typeof updateResultsFile>[2] & { readonly signal: AbortSignal },
): Promise<LinesFate | undefined> {
  const { registry, jobs } = deps;
  const inFolder = (name: string) => path.join(registry.folder(leadId), name);
  const fix = (part: Submission) => fixLines(deps, part, options.signal);
  const { merged, lines } = await mergeFixing(parts, registry, fix, async linesOf =>
    jobs.run(
      'mergeResults',
      {
        generations: await Promise.all(parts.map(async part => toGeneration(registry, part, await linesOf(part)))),
        joinedPath: inFolder(submissionFiles.groupResults),
        indexPath: inFolder(submissionFiles.groupIndex),
      },
      options,
    ),
  );
  const { report, joinedPath } = merged;
  await registry.update(leadId, { groupResults: { joinedPath, fetchedAt: new Date().toISOString(), report } });
  return lines;
}

function toGeneration(
  registry: Pick<SubmissionRegistry, 'folder'>,
  { id, results, requestCount }: Submission,
  linesPath: string | undefined,
): MergeSource['generations'][number] {
  return {
    joinedPath: results?.joinedPath ?? '',
    indexPath: path.join(registry.folder(id), submissionFiles.resultsIndex),
    ...(linesPath === undefined ? { linesPaths: [] } : { linesPaths: [linesPath], requestCounts: [requestCount] }),
    isSameSource: true,
    ...(results && { report: results.report }),
  };
}
