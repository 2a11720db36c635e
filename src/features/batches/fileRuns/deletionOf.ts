import { generationsOf, isUnderWay, type Run, type Submission, toRuns } from '../../ledger';

/** Records to remove when a run is forgotten. */
export interface RunDeletion {
  /** In the order of removal: runs that follow another one are removed first. */
  readonly submissionIds: readonly string[];
  /** The oldest remaining run, whose best results change; `undefined` if none remains. */
  readonly root: Run | undefined;
}

/** Returns what to remove with a run: also the runs that follow it. Returns `undefined` if one of them may still be running. */
export function deletionOf(submissions: readonly Submission[], run: Run): RunDeletion | undefined {
  const family = generationsOf(toRuns(submissions), run);
  const going = new Set([run.id]);
  for (const { id, follows } of family) {
    if (follows !== undefined && going.has(follows.runId)) {
      going.add(id);
    }
  }
  const runs = family.filter(({ id }) => going.has(id));
  // Earlier submissions of a part that was sent again belong to the run too.
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
