import { generationsOf, isUnderWay, type Run, type Submission, toRuns } from '../../ledger';

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
