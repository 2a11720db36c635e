import path from 'node:path';
import { describeError } from '../../../common/text/describeError';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import type { LinesFate, MergeSource } from '../../../jsonl/merging/mergingJobs';
import { ResultsIndex } from '../../../jsonl/results/resultsIndex';
import { type FetchedResults, type Run, runOf, type Submission, type SubmissionRegistry, submissionFiles } from '../../ledger';
import { withStamp } from '../fetching/fateOfResults';
import {
  type FetchSubmissionDependencies,
  type FetchSubmissionOptions,
  fetchSubmission,
  joinAgain,
  retrieveBatch,
} from '../fetching/fetchSubmission';
import { mendLines, mergeMending, worse } from '../fetching/mendLines';
import { placeForResults, quietPlaceForResults } from '../fetching/resultsPlaces';
import { sourcePathOf } from '../incremental/sourcePath';

/** Joined results of one part, in its folder: what people see is the file of all parts. */
const partResults = 'part.results.jsonl';

export interface FetchGroupDependencies extends FetchSubmissionDependencies {
  readonly jobs: Pick<JsonlJobs, 'joinResults' | 'run'>;
  readonly registry: Pick<SubmissionRegistry, 'all' | 'folder' | 'update' | 'find'>;
}

export interface FetchGroupOptions {
  readonly signal: AbortSignal;
  /** Never asks where the results go. */
  readonly quiet?: boolean;
  /** Whether the user asked for it, as is when it is not given. */
  readonly use?: FetchSubmissionOptions['use'];
  /** `share` is from 0 to 1. */
  readonly onProgress?: (progress: { readonly done: number; readonly of: number; readonly share: number }) => void;
}

/** What was fetched of a group. Parts count from 0. */
export interface FetchedGroup {
  /** The results of all fetched parts in one file; undefined when no part has any. */
  readonly results: FetchedResults | undefined;
  /** Parts whose results are in it. */
  readonly fetched: readonly number[];
  /** Parts that have not ended yet, were not sent, or were deleted before their results were fetched. */
  readonly without: readonly number[];
  readonly failed: readonly { readonly index: number; readonly error: unknown }[];
  /** Parts whose kept results were damaged; they were joined or fetched again. */
  readonly mended: readonly number[];
  /** What became of the lists of lines, when one was damaged. */
  readonly lines: LinesFate | undefined;
}

/**
 * Fetches the results of all parts of a group that have ended, and puts them into one joined file in the order of the input, which is
 * written down at the group's first part. What was fetched before is not fetched again. A part that fails leaves the others fetched.
 * Shows nothing; without `quiet` it may ask where the results go. Throws `CancelledError` or the signal's error when the user turns back.
 */
export async function fetchGroup(deps: FetchGroupDependencies, run: Run, options: FetchGroupOptions): Promise<FetchedGroup> {
  const { registry, jobs } = deps;
  const { signal, quiet = false, onProgress } = options;
  const fetched: Submission[] = [];
  const failed: { readonly index: number; readonly error: unknown }[] = [];
  const mended: number[] = [];
  let lines: LinesFate | undefined;
  const of = run.submissions.length;
  for (const [done, submission] of run.submissions.entries()) {
    signal.throwIfAborted();
    const tell = (share: number) => onProgress?.({ done, of, share: (done + share) / (of + 1) });
    tell(0);
    try {
      const part = await fetchPart(deps, submission, options, tell);
      if (part !== undefined) {
        fetched.push(part.submission);
        lines = worse(lines, part.lines);
        if (part.isMended) {
          mended.push(submission.group?.index ?? 0);
        }
      }
    } catch (error) {
      if (signal.aborted) {
        throw error;
      }
      failed.push({ index: submission.group?.index ?? 0, error });
    }
  }
  const indexes = fetched.map(({ group }) => group?.index ?? 0);
  const without = Array.from({ length: run.parts }, (_, index) => index).filter(
    index => !indexes.includes(index) && !failed.some(part => part.index === index),
  );
  if (fetched.length === 0) {
    return { results: undefined, fetched: indexes, without, failed, mended, lines };
  }
  const { lead } = runOf(registry.all(), run.lead) ?? run;
  const { groupResults, results: _own, ...rest } = lead;
  const place: Submission = groupResults === undefined ? rest : { ...rest, results: groupResults };
  const indexName = submissionFiles.groupIndex;
  const target = await (quiet ? quietPlaceForResults(registry, place, indexName) : placeForResults(registry, place, indexName));
  const mend = (part: Submission) => mendLines({ ...deps, toPath: sourcePathOf }, part, signal);
  const { merged, lines: linesOfAll } = await mergeMending(fetched, registry, mend, async linesOf =>
    jobs.run(
      'mergeResults',
      {
        generations: await Promise.all(fetched.map(async part => toGeneration(registry, part, await linesOf(part)))),
        ...target,
        indexPath: path.join(registry.folder(lead.id), indexName),
      },
      {
        signal,
        onProgress: ({ doneBytes, totalBytes }) =>
          onProgress?.({ done: of, of, share: (of + (totalBytes === 0 ? 1 : doneBytes / totalBytes)) / (of + 1) }),
      },
    ),
  );
  const { report, joinedPath } = merged;
  const results: FetchedResults = await withStamp({ joinedPath, fetchedAt: new Date().toISOString(), report });
  await registry.update(lead.id, { groupResults: results });
  return { results, fetched: indexes, without, failed, mended, lines: worse(lines, linesOfAll) };
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

interface FetchedPart {
  readonly submission: Submission;
  /** Whether its results were here, and damaged. */
  readonly isMended: boolean;
  readonly lines?: LinesFate;
}

/** The part with its results; undefined when it has none, or not yet. */
async function fetchPart(
  deps: FetchGroupDependencies,
  submission: Submission,
  { signal, use }: FetchGroupOptions,
  tell: (share: number) => void,
): Promise<FetchedPart | undefined> {
  const { registry } = deps;
  const { id, results, connection, batchId, state, deleted } = submission;
  const options: FetchSubmissionOptions & { readonly place: { readonly joinedPath: string } } = {
    signal,
    ...(use && { use }),
    place: { joinedPath: path.join(registry.folder(id), partResults) },
    onProgress: ({ phase, doneBytes, totalBytes }) => {
      const half = totalBytes === undefined || totalBytes === 0 ? 0 : doneBytes / totalBytes / 2;
      tell(phase === 'joining' ? 0.5 + half : half);
    },
  };
  if (results !== undefined) {
    const index = path.join(registry.folder(id), submissionFiles.resultsIndex);
    const isWhole = await ResultsIndex.open(index, results.joinedPath).then(
      () => true,
      () => false,
    );
    if (isWhole) {
      return { submission, isMended: false };
    }
    const again = await joinAgain(deps, submission, options).catch((error: unknown) => {
      signal.throwIfAborted();
      deps.log.info(`What was kept of the results of batch ${batchId} is damaged: ${describeError(error)}`);
      return undefined;
    });
    if (again !== undefined) {
      return { submission: registry.find(id) ?? submission, isMended: true, ...(again.lines && { lines: again.lines }) };
    }
  }
  if (state !== 'created' || batchId === undefined || deleted) {
    return undefined;
  }
  const { batch } = await retrieveBatch(deps, { connection, batchId }, options.use);
  if (batch.processing_status !== 'ended') {
    return undefined;
  }
  const fetched = await fetchSubmission(deps, submission, options);
  return {
    submission: registry.find(id) ?? submission,
    isMended: results !== undefined,
    ...(fetched.lines && { lines: fetched.lines }),
  };
}
