import type { Run } from './runs';

/** Families per list of runs, keyed by the IDs of their members. */
const familiesOfRuns = new WeakMap<readonly Run[], ReadonlyMap<string, readonly Run[]>>();

/** Returns the family of a run: the runs it follows and those that follow it, oldest first. */
export function generationsOf(runs: readonly Run[], run: Run): readonly Run[] {
  let families = familiesOfRuns.get(runs);
  if (families === undefined) {
    families = findFamilies(runs);
    familiesOfRuns.set(runs, families);
  }
  return families.get(run.id) ?? [run];
}

function findFamilies(runs: readonly Run[]): ReadonlyMap<string, readonly Run[]> {
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
}

/** Returns the oldest run of a family. Runs that follow each other in a cycle, as in damaged records, have no family. */
function rootOf(run: Run, byId: ReadonlyMap<string, Run>): Run {
  const seen = new Set([run]);
  let root = run;
  for (let next = byId.get(run.follows?.runId ?? ''); next !== undefined; next = byId.get(next.follows?.runId ?? '')) {
    if (seen.has(next)) {
      return run;
    }
    seen.add(next);
    root = next;
  }
  return root;
}
