import { generationsOf, isUnderWay, type Run, type Submission, toRuns } from '../../ledger';

/** A run of a file in its list. */
export interface FileRun {
  readonly run: Run;
  /** Whether it was sent from the file itself; a retry has a file of its own. */
  readonly isOwn: boolean;
}

/** All runs of a request file, newest first: those sent from it, and the retries and rests that follow them. `source` is a URI string. */
export function fileRunsOf(submissions: readonly Submission[], source: string): readonly FileRun[] {
  const runs = toRuns(submissions);
  const own = runs.filter(run => run.source === source);
  const family = new Set(own.flatMap(run => generationsOf(runs, run)).map(({ id }) => id));
  const found = runs.filter(({ id }) => family.has(id));
  return found.map(run => ({ run, isOwn: run.source === source }));
}

/** What goes if a run is forgotten. */
export interface RunDeletion {
  /** In the order in which they can go: what follows goes before what it follows. */
  readonly submissionIds: readonly string[];
  /** The oldest run of those that stay, whose best results are others then; `undefined` if none stays. */
  readonly root: Run | undefined;
}

/** Returns what forgetting a run takes along: the runs that follow it. `undefined` if one of them may still cost. */
export function deletionOf(submissions: readonly Submission[], run: Run): RunDeletion | undefined {
  const family = generationsOf(toRuns(submissions), run);
  const going = new Set([run.id]);
  for (const { id, follows } of family) {
    if (follows !== undefined && going.has(follows.runId)) {
      going.add(id);
    }
  }
  const runs = family.filter(({ id }) => going.has(id));
  // A part that came to nothing and was sent again is of its run too.
  const groups = new Set(runs.flatMap(({ lead }) => lead.group?.id ?? []));
  const ids = new Set(runs.flatMap(one => one.submissions.map(({ id }) => id)));
  const gone = submissions.filter(({ id, group }) => ids.has(id) || (group !== undefined && groups.has(group.id)));
  return gone.some(isUnderWay)
    ? undefined
    : {
        submissionIds: [...gone].sort((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt)).map(({ id }) => id),
        root: family.find(({ id }) => !going.has(id)),
      };
}
