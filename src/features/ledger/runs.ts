import path from 'node:path';
import type { JoinedResults } from '../../jsonl/results/joinedResults';
import type { DerivedFile, FetchedResults, FollowPurpose, Follows, Submission } from './submission';
import { submissionFiles } from './submissionFile';
import type { SubmissionRegistry } from './submissionRegistry';

/** Requests sent together. A run has one submission, or several submissions that are its parts. */
export interface Run {
  /** ID of the first submission. */
  readonly id: string;
  /** Submissions in the order of their parts, without parts that were not started. If a part was sent again, only its last submission. */
  readonly submissions: readonly Submission[];
  /** First submission, which has the data of the whole run. */
  readonly lead: Submission;
  /** Number of parts. 1 for a single submission. */
  readonly parts: number;
  readonly connection: string;
  readonly source: string;
  readonly startedAt: string;
  readonly follows: Follows | undefined;
}

/** Joined results on this machine, with the location of their index. */
export interface RunResults extends FetchedResults {
  /** The submission whose folder has the index. */
  readonly submissionId: string;
  readonly indexName: string;
  /** The results file to show. This is the file next to the request file if it has these results, otherwise `joinedPath`. */
  readonly filePath: string;
}

/** Runs by their first submission. An unchanged run stays the same object. */
const runsOfParts = new WeakMap<Submission, { readonly parts: readonly Submission[]; readonly run: Run }>();
/** Results with their index, memoized because each row needs them. */
const resultsWithIndex = new WeakMap<FetchedResults, RunResults>();

interface KnownRuns {
  readonly runs: readonly Run[];
  /** Keyed by group ID, or by submission ID without a group. */
  readonly byKey: ReadonlyMap<string, Run>;
}

/** Returns the runs of a list of submissions, newest first. Memoized by the list. */
export function toRuns(submissions: readonly Submission[]): readonly Run[] {
  return knownRunsOf(submissions).runs;
}

/** Runs of each list of submissions. The ledger returns a new list after each change. */
const runsOfList = new WeakMap<readonly Submission[], KnownRuns>();

const knownRunsOf = memoized((submissions: readonly Submission[]): KnownRuns => {
  const runs = [...groupBy(submissions, keyOf)].map(([key, parts]) => [key, cachedRunOf(parts)] as const);
  const started = runs.map(([, run]) => ({ run, startedMs: Date.parse(run.startedAt) }));
  return { byKey: new Map(runs), runs: started.sort((a, b) => b.startedMs - a.startedMs).map(({ run }) => run) };
}, runsOfList);

/** Returns a run for a batch that was not sent from this machine. The run has one part and no source, and is not recorded. */
export function runOfForeign(connection: string, batchId: string, known: Partial<Submission> = {}): Run {
  return toRun([
    {
      ...{ id: batchId, batchId, connection, origin: '', source: '', sha256: '', state: 'created', startedAt: '' },
      ...{ fileBytes: 0, requestCount: 0, bodyBytes: 0, ...known },
    },
  ]);
}

/** Returns whether a run was not sent from this machine. */
export function isForeign({ source }: Pick<Run, 'source'>): boolean {
  return source === '';
}

/** Returns the run of a submission. `undefined` if the submission is not in the list. */
export function runOf(submissions: readonly Submission[], submission: Submission): Run | undefined {
  const known = runsOfList.get(submissions);
  const key = keyOf(submission);
  if (known !== undefined) {
    return known.byKey.get(key);
  }
  const parts = submissions.filter(other => keyOf(other) === key);
  return parts.length === 0 ? undefined : cachedRunOf(parts);
}

function keyOf({ id, group }: Pick<Submission, 'id' | 'group'>): string {
  return group === undefined ? id : `group\n${group.id}`;
}

function cachedRunOf(parts: readonly Submission[]): Run {
  const [first] = parts;
  const known = first && runsOfParts.get(first);
  if (known?.parts.length === parts.length && known.parts.every((part, index) => part === parts[index])) {
    return known.run;
  }
  const run = toRun(parts);
  if (first !== undefined) {
    runsOfParts.set(first, { parts, run });
  }
  return run;
}

/** Returns the family of a run, oldest first. Includes the runs that it follows and the runs that follow it. */
export function generationsOf(runs: readonly Run[], run: Run): readonly Run[] {
  return familiesOf(runs).get(run.id) ?? [run];
}

/** Returns the families of a list of runs, keyed by the IDs of their members. */
const familiesOf = memoized((runs: readonly Run[]): ReadonlyMap<string, readonly Run[]> => {
  const byId = new Map(runs.map(run => [run.id, run]));
  const families = new Map<string, Run[]>();
  const following = runs.filter(({ follows }) => follows !== undefined);
  for (const run of following.sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt))) {
    const root = rootOf(run, byId);
    if (root !== run) {
      const family = families.get(root.id) ?? [root];
      family.push(run);
      families.set(root.id, family).set(run.id, family);
    }
  }
  return families;
});

/** Returns the oldest run of a family. Runs that follow each other in a cycle, as in damaged records, have no family. */
function rootOf(run: Run, byId: ReadonlyMap<string, Run>): Run {
  const visited = new Set([run]);
  let root = run;
  for (let next = byId.get(run.follows?.runId ?? ''); next !== undefined; next = byId.get(next.follows?.runId ?? '')) {
    if (visited.has(next)) {
      return run;
    }
    visited.add(next);
    root = next;
  }
  return root;
}

/** Returns whether the service created a batch for any part. */
export function hasBatch({ submissions }: Pick<Run, 'submissions'>): boolean {
  return submissions.some(({ batchId }) => batchId !== undefined);
}

/** Returns the number of requests of a run that were sent. */
export function requestCountOf({ submissions }: Pick<Run, 'submissions'>): number {
  return submissions.reduce((sum, { requestCount }) => sum + requestCount, 0);
}

/** Returns the fetched results of a run. The results of several parts are in one file. */
export function resultsOf({ lead, parts }: Run): RunResults | undefined {
  return parts > 1
    ? toRunResults(lead.groupResults, lead, submissionFiles.groupIndex)
    : toRunResults(lead.results, lead, submissionFiles.resultsIndex);
}

/** Returns the merged results of a run's family, or otherwise the run's own results. */
export function finalResultsOf(runs: readonly Run[], run: Run): RunResults | undefined {
  const [root] = generationsOf(runs, run);
  return (root && toRunResults(root.lead.merged, root.lead, submissionFiles.mergedIndex)) ?? resultsOf(run);
}

/** Returns the chosen results, either of one run or merged with the results of its retries. */
export function chosenResultsOf(runs: readonly Run[], { run, withRetries }: ChosenResults): RunResults | undefined {
  return withRetries ? finalResultsOf(runs, run) : resultsOf(run);
}

export interface ChosenResults {
  readonly run: Run;
  readonly withRetries: boolean;
}

/** Returns the paths of results and their index. */
export function pathsOf(registry: Pick<SubmissionRegistry, 'folder'>, { joinedPath, submissionId, indexName }: RunResults): JoinedResults {
  return { joinedPath, indexPath: path.join(registry.folder(submissionId), indexName) };
}

/** Returns whether results are merged from several runs. */
export function isMerged({ indexName }: RunResults): boolean {
  return indexName === submissionFiles.mergedIndex;
}

/**
 * Returns the results to show for a file, which are the results of its newest run with results. Merged results of a family belong to the
 * file of its oldest run. A file made for a retry has its own results.
 */
export function resultsOfSource(submissions: readonly Submission[], source: string) {
  const runs = toRuns(submissions);
  for (const run of runsOfSource(runs, source)) {
    const [root] = generationsOf(runs, run);
    const results = root?.source === source ? finalResultsOf(runs, run) : resultsOf(run);
    if (results !== undefined) {
      return { run, results };
    }
  }
  return undefined;
}

/** Returns the runs that were sent from a file, newest first. `source` is a URI string. */
export function runsOfSource(runs: readonly Run[], source: string): readonly Run[] {
  return runsBySource(runs).get(source) ?? [];
}

const runsBySource = memoized((runs: readonly Run[]) => groupBy(runs, ({ source }) => source));

/** Returns the run that a submission of a file follows, if the file was made from results. Compares the content first, then the name. */
export function followsOf(submissions: readonly Submission[], source: string, sha256: string): Follows | undefined {
  let byName: Follows | undefined;
  for (const { id, made = [] } of submissions) {
    for (const file of made) {
      const follows = { runId: id, purpose: file.purpose satisfies FollowPurpose };
      if (file.sha256 === sha256) {
        return follows;
      }
      if (file.source === source) {
        byName ??= follows;
      }
    }
  }
  return byName;
}

/** Returns whether a run sent an unchanged file that was made for a retry. */
export function isDerivedRetry({ follows, lead }: Pick<Run, 'follows' | 'lead'>, submissions: readonly Submission[]): boolean {
  return (
    follows?.purpose === 'retry' &&
    submissions.some(({ made = [] }) => made.some(({ purpose, sha256 }) => purpose === 'retry' && sha256 === lead.sha256))
  );
}

/** Memoizes a function of an object for as long as the object exists. */
export function memoized<Key extends object, Result>(make: (key: Key) => Result, known = new WeakMap<Key, Result>()): (key: Key) => Result {
  return key => {
    const result = known.get(key) ?? make(key);
    known.set(key, result);
    return result;
  };
}

/** Groups values by key. Each list has the order of `values`. */
export function groupBy<T>(values: Iterable<T>, keyOf: (value: T) => string): ReadonlyMap<string, readonly T[]> {
  const lists = new Map<string, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const list = lists.get(key) ?? [];
    list.push(value);
    lists.set(key, list);
  }
  return lists;
}

function toRun(parts: readonly Submission[]): Run {
  const submissions = parts.length === 1 ? parts : newestParts(parts);
  const lead = submissions[0];
  if (lead === undefined) {
    throw new Error('The run has no submission.');
  }
  const { id, connection, source, startedAt, follows, group } = lead;
  return { id, submissions, lead, parts: group?.count ?? 1, connection, source, startedAt, follows };
}

function newestParts(parts: readonly Submission[]): readonly Submission[] {
  const byIndex = new Map<number, Submission>();
  for (const part of [...parts].sort((a, b) => weightOf(a) - weightOf(b) || Date.parse(a.startedAt) - Date.parse(b.startedAt))) {
    byIndex.set(part.group?.index ?? 0, part);
  }
  return [...byIndex.values()].sort((a, b) => (a.group?.index ?? 0) - (b.group?.index ?? 0));
}

/** Returns a weight that prefers a submission with a batch to a later one of the same part without a batch. */
function weightOf({ state }: Submission): number {
  return state === 'failed' || state === 'abandoned' ? 0 : 1;
}

function toRunResults(
  results: FetchedResults | undefined,
  { id: submissionId, resultsFile }: Pick<Submission, 'id' | 'resultsFile'>,
  indexName: string,
): RunResults | undefined {
  if (results === undefined) {
    return undefined;
  }
  const hasResultsFile = resultsFile !== undefined && resultsFile.fetchedAt === results.fetchedAt;
  const filePath = hasResultsFile ? resultsFile.path : results.joinedPath;
  let withIndex = resultsWithIndex.get(results);
  if (withIndex?.submissionId !== submissionId || withIndex.indexName !== indexName || withIndex.filePath !== filePath) {
    withIndex = { ...results, submissionId, indexName, filePath };
    resultsWithIndex.set(results, withIndex);
  }
  return withIndex;
}

/** Records that a request file was made to retry requests of a run, so that a submission of the file follows the run. */
export async function noteRetryFile(
  registry: Pick<SubmissionRegistry, 'update'>,
  runId: string,
  file: Pick<DerivedFile, 'source' | 'sha256'>,
): Promise<void> {
  await registry.update(runId, { made: [{ ...file, purpose: 'retry', madeAt: new Date().toISOString() }] });
}
