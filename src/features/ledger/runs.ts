import { generationsOf } from './generationsOf';
import type { FetchedResults, FollowPurpose, Follows, Submission } from './submission';
import { submissionFiles } from './submissionFile';

/** One going of requests to the service: a submission, or all parts of a group, which show and act as one. */
export interface Run {
  /** Id of its first submission. */
  readonly id: string;
  /** In the order of the parts; those that were not begun are missing. Of a part that was sent again its last submission. */
  readonly submissions: readonly Submission[];
  /** Its first submission, which holds what is of the whole run. */
  readonly lead: Submission;
  /** Parts of the group; 1 for a single submission. */
  readonly parts: number;
  readonly connection: string;
  readonly source: string;
  readonly startedAt: string;
  readonly follows: Follows | undefined;
}

/** Joined results on this machine and where their index is. */
export interface RunResults extends FetchedResults {
  /** The submission in whose folder the index is. */
  readonly submissionId: string;
  /** Name of the index in that folder. */
  readonly indexName: string;
  /** The file with these results that the user knows: the one beside the request file, if it has these, else `joinedPath`. */
  readonly filePath: string;
}

/** The runs of a list, which is another one after each change of the ledger. */
const runsOfList = new WeakMap<readonly Submission[], KnownRuns>();
const sourcesOfRuns = new WeakMap<readonly Run[], ReadonlyMap<string, readonly Run[]>>();
/** Runs by their first submission, as long as none of their submissions changes: the same run is the same object. */
const runsOfParts = new WeakMap<Submission, { readonly parts: readonly Submission[]; readonly run: Run }>();
/** Results with their index: asked for with each row. */
const placedResults = new WeakMap<FetchedResults, RunResults>();

interface KnownRuns {
  readonly runs: readonly Run[];
  /** By the ids of groups, and of submissions without a group. */
  readonly byKey: ReadonlyMap<string, Run>;
}

/** What was submitted, as runs: newest first. A group stands where its first part was begun. The same list gives the same runs. */
export function toRuns(submissions: readonly Submission[]): readonly Run[] {
  return knownRunsOf(submissions).runs;
}

function knownRunsOf(submissions: readonly Submission[]): KnownRuns {
  let known = runsOfList.get(submissions);
  if (known === undefined) {
    const byKey = new Map<string, Submission[]>();
    for (const submission of submissions) {
      const parts = byKey.get(keyOf(submission));
      if (parts === undefined) {
        byKey.set(keyOf(submission), [submission]);
      } else {
        parts.push(submission);
      }
    }
    const runs = [...byKey].map(([key, parts]) => [key, cachedRunOf(parts)] as const);
    const started = runs.map(([, run]) => ({ run, startedMs: Date.parse(run.startedAt) }));
    known = { byKey: new Map(runs), runs: started.sort((a, b) => b.startedMs - a.startedMs).map(({ run }) => run) };
    runsOfList.set(submissions, known);
  }
  return known;
}

/** A batch that was not sent from this machine, as a run of one part without a source. Nothing of it is written down. */
export function runOfForeign(connection: string, batchId: string): Run {
  return toRun([
    {
      ...{ id: batchId, batchId, connection, origin: '', source: '', sha256: '', state: 'created', startedAt: '' },
      ...{ fileBytes: 0, requestCount: 0, bodyBytes: 0 },
    },
  ]);
}

/** The run that a submission is of. */
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

/** Whether the service made a batch of any of it: what was refused or given up has none. */
export function hasBatch({ submissions }: Pick<Run, 'submissions'>): boolean {
  return submissions.some(({ batchId }) => batchId !== undefined);
}

/** Returns the number of requests of a run that were sent. */
export function requestCountOf({ submissions }: Pick<Run, 'submissions'>): number {
  return submissions.reduce((sum, { requestCount }) => sum + requestCount, 0);
}

/** The fetched results of a run: of a group those of all parts in one file. */
export function resultsOf({ lead, parts }: Run): RunResults | undefined {
  return parts > 1 ? at(lead.groupResults, lead, submissionFiles.groupIndex) : at(lead.results, lead, submissionFiles.resultsIndex);
}

/** The final results of a run and its generations: the merged ones when there are, else its own. */
export function finalResultsOf(runs: readonly Run[], run: Run): RunResults | undefined {
  const [root] = generationsOf(runs, run);
  return (root && at(root.lead.merged, root.lead, submissionFiles.mergedIndex)) ?? resultsOf(run);
}

/** Returns the chosen results: those of a run alone, or with its retries. */
export function chosenResultsOf(runs: readonly Run[], { run, withRetries }: ChosenResults): RunResults | undefined {
  return withRetries ? finalResultsOf(runs, run) : resultsOf(run);
}

export interface ChosenResults {
  readonly run: Run;
  readonly withRetries: boolean;
}

/** Returns whether results are merged from several runs. */
export function isMerged({ indexName }: RunResults): boolean {
  return indexName === submissionFiles.mergedIndex;
}

/**
 * The results to show at a file: those of the newest run from it that has any. The final ones, with what later generations answered, stand
 * at the file that these began with; a file that was made for a retry has its own.
 */
export function resultsOfSource(
  submissions: readonly Submission[],
  source: string,
): { readonly run: Run; readonly results: RunResults } | undefined {
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

/** The runs that were sent from a file, newest first. `source` is a URI string. */
export function runsOfSource(runs: readonly Run[], source: string): readonly Run[] {
  let bySource = sourcesOfRuns.get(runs);
  if (bySource === undefined) {
    const found = new Map<string, Run[]>();
    for (const run of runs) {
      const others = found.get(run.source);
      if (others === undefined) {
        found.set(run.source, [run]);
      } else {
        others.push(run);
      }
    }
    bySource = found;
    sourcesOfRuns.set(runs, bySource);
  }
  return bySource.get(source) ?? [];
}

/** The run that a submission of a file follows, when the file was made from results: by its bytes, else by its name. */
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

/** Whether a run sent a file for a retry byte for byte as it was made from results. */
export function isMadeRetry({ follows, lead }: Pick<Run, 'follows' | 'lead'>, submissions: readonly Submission[]): boolean {
  return (
    follows?.purpose === 'retry' &&
    submissions.some(({ made = [] }) => made.some(({ purpose, sha256 }) => purpose === 'retry' && sha256 === lead.sha256))
  );
}

function toRun(parts: readonly Submission[]): Run {
  const submissions = parts.length === 1 ? parts : newestParts(parts);
  const lead = submissions[0];
  if (lead === undefined) {
    throw new Error('A run has a submission.');
  }
  const { id, connection, source, startedAt, follows, group } = lead;
  return { id, submissions, lead, parts: group?.count ?? 1, connection, source, startedAt, follows };
}

/** Of each part its last submission, in the order of the parts. */
function newestParts(parts: readonly Submission[]): readonly Submission[] {
  const byIndex = new Map<number, Submission>();
  for (const part of [...parts].sort((a, b) => weightOf(a) - weightOf(b) || Date.parse(a.startedAt) - Date.parse(b.startedAt))) {
    byIndex.set(part.group?.index ?? 0, part);
  }
  return [...byIndex.values()].sort((a, b) => (a.group?.index ?? 0) - (b.group?.index ?? 0));
}

/** A part that came to nothing and was sent again is what was sent again. */
function weightOf({ state }: Submission): number {
  return state === 'failed' || state === 'abandoned' ? 0 : 1;
}

function at(
  results: FetchedResults | undefined,
  { id: submissionId, resultsFile }: Pick<Submission, 'id' | 'resultsFile'>,
  indexName: string,
): RunResults | undefined {
  if (results === undefined) {
    return undefined;
  }
  const isThere = resultsFile !== undefined && resultsFile.fetchedAt === results.fetchedAt;
  const filePath = isThere ? resultsFile.path : results.joinedPath;
  let placed = placedResults.get(results);
  if (placed?.submissionId !== submissionId || placed.indexName !== indexName || placed.filePath !== filePath) {
    placed = { ...results, submissionId, indexName, filePath };
    placedResults.set(results, placed);
  }
  return placed;
}
