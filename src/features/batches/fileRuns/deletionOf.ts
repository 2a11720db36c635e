import { generationsOf, isUnderWay, type Run, type Submission, toRuns } from '../../ledger';

/** What goes when a run is deleted, or why it stays. */
export type RunDeletion =
  | {
      readonly isPossible: true;
      /** The run and those that follow it, which would be of nothing without it. */
      readonly runs: readonly Run[];
      /** In the order in which they can go: what follows goes before what it follows. */
      readonly submissionIds: readonly string[];
      /** Results files that only these runs know. */
      readonly resultsPaths: readonly string[];
    }
  /** `underWay`: one of the runs may still cost. `merged`: answers of it are in joined results that stay. */
  | { readonly isPossible: false; readonly reason: 'underWay' | 'merged' };

/** What deleting a run takes along. */
export function deletionOf(submissions: readonly Submission[], run: Run): RunDeletion {
  const all = toRuns(submissions);
  const family = generationsOf(all, run);
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
  if (gone.some(isUnderWay)) {
    return { isPossible: false, reason: 'underWay' };
  }
  const stays = all.filter(({ id }) => !going.has(id));
  if (stays.some(({ lead }) => lead.merged?.runIds.some(id => going.has(id)))) {
    return { isPossible: false, reason: 'merged' };
  }
  const kept = new Set(submissions.filter(one => !gone.includes(one)).flatMap(pathsOf));
  return {
    isPossible: true,
    runs,
    submissionIds: [...gone].sort((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt)).map(({ id }) => id),
    resultsPaths: [...new Set(gone.flatMap(pathsOf))].filter(path => !kept.has(path)),
  };
}

function pathsOf({ results, groupResults, merged }: Submission): readonly string[] {
  return [results, groupResults, merged].flatMap(found => found?.joinedPath ?? []);
}
