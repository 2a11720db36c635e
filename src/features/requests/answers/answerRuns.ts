import type { RunReference } from '../../../contributions';
import {
  generationsOf,
  mayHaveBatch,
  type Run,
  type RunResults,
  resultsOf,
  resultsOfSource,
  type Submission,
  submissionFiles,
  toRuns,
} from '../../ledger';

/** Results and submissions to show at the lines of a request file. */
export interface AnswerRuns {
  readonly shown: AnswerResults | undefined;
  /** Submissions without fetched results that are newer than the shown results, newest first. */
  readonly pending: readonly Submission[];
}

/** Fetched results of a request file, with their runs. */
export interface AnswerResults {
  readonly results: RunResults;
  /** URI string of the request file. */
  readonly source: string;
  /** Runs whose answers are in the results, oldest first. */
  readonly runs: readonly Run[];
  /** True if the results of several runs are merged. The history of each request is then stored next to the index. */
  readonly isMerged: boolean;
  /** SHA-256 of the file when it was sent. `undefined` if its requests were sent from several versions of the file or from another file. */
  readonly sourceSha256: string | undefined;
  /** True if the user chose these results. Otherwise these are the newest results. */
  readonly isChosen?: boolean;
}

/** Maximum number of submissions whose requests are marked as running. Each submission keeps its ids in memory. */
const maxPending = 16;

/** Returns the paths of the files that have the joined results of a submission. */
export function joinedPathsOf({ results, groupResults, merged, resultsFile }: Submission): readonly string[] {
  return [results?.joinedPath, groupResults?.joinedPath, merged?.joinedPath, resultsFile?.path].flatMap(file => file ?? []);
}

/** Returns the results and submissions to show at a file, given as a URI string. Uses the `chosen` run, or otherwise the newest results. */
export function answerRunsOf(submissions: readonly Submission[], source: string, chosen?: Run): AnswerRuns {
  const results = chosen && resultsOf(chosen);
  if (chosen !== undefined && results !== undefined) {
    const shown = { results, source, runs: [chosen], isMerged: false, sourceSha256: chosen.lead.sha256, isChosen: true };
    return { shown, pending: answerRunsOf(submissions, source).pending };
  }
  const found = resultsOfSource(submissions, source);
  const all = toRuns(submissions);
  const family = found === undefined ? [] : generationsOf(all, found.run);
  const shown = found && toShown(found.run, found.results, family, source);
  const newest = Math.max(...(shown?.runs ?? []).map(({ startedAt }) => Date.parse(startedAt)));
  const pending = all
    .filter(run => (run.source === source || family.some(({ id }) => id === run.id)) && !(Date.parse(run.startedAt) < newest))
    .filter(run => !(shown?.runs ?? []).some(({ id, parts }) => id === run.id && parts === 1))
    .flatMap(run => run.submissions)
    .filter(isPending);
  return { shown, pending: pending.slice(0, maxPending) };
}

/** Returns the reference by which commands identify these results. */
export function toReference({ runs, isMerged }: AnswerResults): RunReference {
  return { runId: runs[0]?.id ?? '', withRetries: isMerged };
}

/** Returns a key of fetched results that changes when the results are fetched again. */
export function keyOfResults({ submissionId, indexName, joinedPath, fetchedAt }: RunResults): string {
  return [submissionId, indexName, joinedPath, fetchedAt].join('\n');
}

function toShown(run: Run, results: RunResults, family: readonly Run[], source: string): AnswerResults {
  const [root = run] = family;
  const { merged } = root.lead;
  if (merged === undefined || results.submissionId !== root.id || results.indexName !== submissionFiles.mergedIndex) {
    return { results, source, runs: [run], isMerged: false, sourceSha256: run.lead.sha256 };
  }
  const runs = merged.runIds.flatMap(id => family.find(other => other.id === id) ?? []);
  const versions = new Set(runs.filter(other => isOfFile(other, source)).map(({ lead }) => lead.sha256));
  const isOwn = root.source === source && versions.size === 1;
  return { results, source, runs, isMerged: true, sourceSha256: isOwn ? root.lead.sha256 : undefined };
}

/** Returns whether a run sent the requests of a file unchanged. A retry sends a copy with different lines and its own fixes. */
export function isOfFile({ source, follows }: Run, file: string | undefined): boolean {
  return source === file && follows?.purpose !== 'retry';
}

function isPending(submission: Submission): boolean {
  const { batch, deleted, results } = submission;
  return results === undefined && deleted !== true && typeof batch?.archived_at !== 'string' && mayHaveBatch(submission);
}
