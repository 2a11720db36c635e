import { changedPlaces } from '../../common/lists/changedPlaces';
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

/** What was made of a list that stands for the ledger until it changes; goes with the list. */
const runsOfList = new WeakMap<readonly Submission[], KnownRuns>();
const sourcesOfRuns = new WeakMap<readonly Run[], ReadonlyMap<string, readonly Run[]>>();
/** The run that begins a list of submissions with this one, as long as none of them is another one. */
const runsOfParts = new WeakMap<Submission, { readonly parts: readonly Submission[]; readonly started: StartedRun }>();

/** Results with the place of their index: asked for with each row that is made. */
const placedResults = new WeakMap<FetchedResults, RunResults>();

interface StartedRun {
  readonly run: Run;
  readonly startedMs: number;
}

/** The runs of a list. */
interface KnownRuns {
  readonly submissions: readonly Submission[];
  readonly runs: readonly Run[];
  /** Where the run stands whose submissions have a key. */
  readonly placeOf: (key: string) => number | undefined;
  /** By the keys of groups, where their submissions stand in the list. */
  readonly parts: ReadonlyMap<string, readonly number[]>;
}

/** What was made last. The ledger is another list with every change, and nearly all in it is as it was. */
let latest: KnownRuns | undefined;

/** What was submitted, as runs: newest first. A group stands where its first part was begun. The same list gives the same runs. */
export function toRuns(submissions: readonly Submission[]): readonly Run[] {
  return knownRunsOf(submissions).runs;
}

function knownRunsOf(submissions: readonly Submission[]): KnownRuns {
  let known = runsOfList.get(submissions);
  if (known === undefined) {
    known = (latest && patchedRuns(latest, submissions)) ?? makeRuns(submissions);
    runsOfList.set(submissions, known);
    latest = known;
  }
  return known;
}

function makeRuns(submissions: readonly Submission[]): KnownRuns {
  const started: StartedRun[] = [];
  const parts = new Map<string, number[]>();
  for (const [place, submission] of submissions.entries()) {
    if (submission.group === undefined) {
      started.push(startedRunOf([submission]));
      continue;
    }
    const key = keyOf(submission);
    const others = parts.get(key);
    if (others === undefined) {
      parts.set(key, [place]);
    } else {
      others.push(place);
    }
  }
  for (const places of parts.values()) {
    started.push(startedRunOf(allAt(submissions, places)));
  }
  const runs = started.sort((a, b) => b.startedMs - a.startedMs).map(({ run }) => run);
  let places: ReadonlyMap<string, number> | undefined;
  return {
    ...{ submissions, runs, parts },
    placeOf: key => {
      places ??= new Map(runs.map(({ lead }, place) => [keyOf(lead), place]));
      return places.get(key);
    },
  };
}

/** The runs of before with those that are others by now; undefined where one came or went, or may stand elsewhere. */
function patchedRuns(before: KnownRuns, submissions: readonly Submission[]): KnownRuns | undefined {
  const changed = changedPlaces(before.submissions, submissions, (one, other) => keyOf(one) === keyOf(other));
  if (changed === undefined) {
    return undefined;
  }
  const runs = [...before.runs];
  for (const place of changed) {
    const submission = submissions[place];
    const key = submission && keyOf(submission);
    const at = key === undefined ? undefined : before.placeOf(key);
    if (key === undefined || at === undefined) {
      return undefined;
    }
    const { run } = startedRunOf(allAt(submissions, before.parts.get(key) ?? [place]));
    if (run.startedAt !== before.runs[at]?.startedAt) {
      return undefined;
    }
    runs[at] = run;
  }
  return { ...before, submissions, runs };
}

function allAt(submissions: readonly Submission[], places: readonly number[]): readonly Submission[] {
  return places.flatMap(place => submissions[place] ?? []);
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
export function runOf(submissions: readonly Submission[], { id, group }: Submission): Run | undefined {
  const known = runsOfList.get(submissions);
  if (known !== undefined) {
    const place = known.placeOf(keyOf({ id, group }));
    return place === undefined ? undefined : known.runs[place];
  }
  const parts = submissions.filter(other => (group === undefined ? other.id === id : other.group?.id === group.id));
  return parts.length === 0 ? undefined : toRun(parts);
}

function keyOf({ id, group }: Pick<Submission, 'id'> & { readonly group?: Submission['group'] | undefined }): string {
  return group === undefined ? id : `group\n${group.id}`;
}

function startedRunOf(parts: readonly Submission[]): StartedRun {
  const [first] = parts;
  const known = first && runsOfParts.get(first);
  if (known?.parts.length === parts.length && known.parts.every((part, index) => part === parts[index])) {
    return known.started;
  }
  const run = toRun(parts);
  const started = { run, startedMs: Date.parse(run.startedAt) };
  if (first !== undefined) {
    runsOfParts.set(first, { parts, started });
  }
  return started;
}

/** Whether the service made a batch of any of it: what was refused or given up has none. */
export function hasBatch({ submissions }: Pick<Run, 'submissions'>): boolean {
  return submissions.some(({ batchId }) => batchId !== undefined);
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
  const filePath = resultsFile?.fetchedAt === results.fetchedAt ? resultsFile.path : results.joinedPath;
  let placed = placedResults.get(results);
  if (placed?.submissionId !== submissionId || placed.indexName !== indexName || placed.filePath !== filePath) {
    placed = { ...results, submissionId, indexName, filePath };
    placedResults.set(results, placed);
  }
  return placed;
}
