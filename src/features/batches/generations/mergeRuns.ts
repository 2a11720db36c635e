import path from 'node:path';
import { stampOfFile } from '../../../jsonl/files/publishing';
import type { JobOptions, JsonlJobs } from '../../../jsonl/jobs/jobs';
import type { LinesFate, MergeSource, SentWords } from '../../../jsonl/merging/mergingJobs';
import {
  type FetchedResults,
  generationsOf,
  isMadeRetry,
  type MergedResults,
  type Run,
  resultsOf,
  type Submission,
  type SubmissionRegistry,
  submissionFiles,
  toRuns,
} from '../../ledger';
import { type ResultsFate, withStamp } from '../fetching/fateOfResults';
import { type LinesOf, mergeMending } from '../fetching/mendLines';

export interface MergeDependencies {
  readonly jobs: Pick<JsonlJobs, 'run'>;
  readonly registry: Pick<SubmissionRegistry, 'all' | 'reload' | 'folder' | 'update'>;
  /** Where the merged results of a root run go that has none yet; never a file that is there. */
  readonly placeFor: (root: Run) => Promise<string>;
  /** Whether the merged file of before is still what was written, is gone, or gave way to something else that must not be lost. */
  readonly fateOf: (results: FetchedResults, indexPath: string) => Promise<ResultsFate>;
  /** Whether a file can be written where the merged one of before was. */
  readonly canReplace: (joinedPath: string) => Promise<boolean>;
  readonly now: () => number;
  /** Makes sure that the list of lines of a submission can be used or is not there. */
  readonly mendLines: (submission: Submission, signal?: AbortSignal) => Promise<LinesFate>;
  /** Where the hashes of what a submission's requests said are; undefined when nobody knows any more. */
  readonly hashesOf: (submission: Submission, signal?: AbortSignal) => Promise<string | undefined>;
}

/** What of a family of runs there is to merge. */
export interface MergeNeed {
  readonly root: Run;
  /** Its runs that have results, oldest first. */
  readonly runs: readonly Run[];
  /** Whether the merged results are of just these. */
  readonly isDone: boolean;
}

/** What is to be merged around a run; undefined when no two generations have results, or the oldest has none to begin with. */
export function mergeNeedOf(runs: readonly Run[], run: Run): MergeNeed | undefined {
  const family = generationsOf(runs, run);
  const [root] = family;
  const answered = family.filter(one => resultsOf(one) !== undefined);
  if (root === undefined || answered[0] !== root || answered.length < 2) {
    return undefined;
  }
  const { merged } = root.lead;
  const newest = Math.max(...answered.map(one => Date.parse(resultsOf(one)?.fetchedAt ?? '')));
  const isDone =
    merged !== undefined &&
    merged.runIds.length === answered.length &&
    answered.every(({ id }, place) => merged.runIds[place] === id) &&
    Date.parse(merged.fetchedAt) >= newest;
  return { root, runs: answered, isDone };
}

/**
 * Puts the results of all generations of a run together: one joined file with the last success, or else the last answer, of every
 * request to what it said when it was sent last, and its index and history in the root's folder. Does nothing when that stands already. Returns the merged results; undefined when
 * there is only one generation.
 */
export async function mergeRuns(deps: MergeDependencies, run: Run, options?: JobOptions): Promise<MergedResults | undefined> {
  const { jobs, registry } = deps;
  await registry.reload();
  const need = mergeNeedOf(toRuns(registry.all()), run);
  if (need === undefined) {
    return undefined;
  }
  const { root, runs, isDone } = need;
  const before = root.lead.merged;
  const folder = registry.folder(root.lead.id);
  const indexPath = path.join(folder, submissionFiles.mergedIndex);
  const stamp = before && (await stampOfFile(before.joinedPath).catch(() => undefined));
  const fate = before && (await deps.fateOf(before, indexPath));
  if (before !== undefined && isDone && fate === 'same') {
    return before;
  }
  const isFree = before !== undefined && fate !== 'changed' && (await deps.canReplace(before.joinedPath));
  const place = isFree ? before.joinedPath : await deps.placeFor(root);
  // The clock before the work: results that come meanwhile are merged again.
  const fetchedAt = new Date(deps.now()).toISOString();
  const sent = runs.flatMap(({ submissions }) => submissions).filter(wasCreated);
  const mend = (submission: Submission) => deps.mendLines(submission, options?.signal);
  const { merged: made } = await mergeMending(sent, registry, mend, async linesOf =>
    jobs.run(
      'mergeResults',
      {
        generations: await toGenerations(deps, runs, linesOf, options?.signal),
        joinedPath: place,
        standing: { stamp: isFree ? stamp : undefined },
        indexPath,
        historyPath: path.join(folder, submissionFiles.mergedHistory),
      },
      options,
    ),
  );
  const { joinedPath, report, taken } = made;
  const merged: MergedResults = await withStamp({ joinedPath, fetchedAt, report, runIds: runs.map(({ id }) => id), taken });
  await registry.update(root.lead.id, { merged });
  return merged;
}

/** A part that came to nothing asked nothing, and its list of lines may be cut off. */
function wasCreated({ state }: Submission): boolean {
  return state === 'created';
}

async function toGenerations(
  { registry, hashesOf }: MergeDependencies,
  runs: readonly Run[],
  linesOf: LinesOf,
  signal?: AbortSignal,
): Promise<MergeSource['generations']> {
  const [root] = runs;
  const hasOtherWords = runs.some(run => run.lead.sha256 !== root?.lead.sha256 && !isMadeRetry(run, registry.all()));
  const generations: MergeSource['generations'][number][] = [];
  for (const run of runs) {
    const results = resultsOf(run);
    if (results === undefined) {
      throw new Error('A generation without results.');
    }
    const linesPaths: string[] = [];
    const requestCounts: number[] = [];
    const words: SentWords[] = [];
    for (const submission of run.submissions.filter(wasCreated)) {
      const linesPath = await linesOf(submission);
      if (linesPath !== undefined) {
        linesPaths.push(linesPath);
        requestCounts.push(submission.requestCount);
        const hashesPath = hasOtherWords ? await hashesOf(submission, signal) : undefined;
        words.push({ sha256: submission.sha256, ...(hashesPath !== undefined && { hashesPath }) });
      }
    }
    generations.push({
      joinedPath: results.joinedPath,
      indexPath: path.join(registry.folder(results.submissionId), results.indexName),
      linesPaths,
      requestCounts,
      words,
      isRetry: isMadeRetry(run, registry.all()),
      isSameSource: run.source === root?.source && run.lead.sha256 === root.lead.sha256,
      report: results.report,
    });
  }
  return generations;
}
