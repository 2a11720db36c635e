import { changedPlaces } from '../../common/lists/changedPlaces';
import type { Run } from './runs';

/** Goes with the runs of a list that stands for the ledger until it changes. */
const familiesOfRuns = new WeakMap<readonly Run[], Families>();
/** What was found last: with most changes of the ledger no family gets another member. */
let latest: { readonly runs: readonly Run[]; readonly families: Families } | undefined;

/** A run with all that it follows and that follow it, oldest first. */
export function generationsOf(runs: readonly Run[], run: Run): readonly Run[] {
  let families = familiesOfRuns.get(runs);
  if (families === undefined) {
    families = (latest && patchedFamilies(latest.families, latest.runs, runs)) ?? Families.among(runs);
    familiesOfRuns.set(runs, families);
    latest = { runs, families };
  }
  return families.of(run);
}

function patchedFamilies(families: Families, before: readonly Run[], runs: readonly Run[]): Families | undefined {
  const changed = changedPlaces(
    before,
    runs,
    (one, other) => one.id === other.id && one.follows?.runId === other.follows?.runId && one.startedAt === other.startedAt,
  );
  return changed && families.with(changed.flatMap(place => runs[place] ?? []));
}

/** The families of all runs, found in one go: who asks for one asks for many. */
class Families {
  private constructor(
    /** Of runs that others follow. */
    private readonly byId: ReadonlyMap<string, Run>,
    /** In the order of their starts. */
    private readonly following: readonly Run[],
    /** By the ids of their members, of which there is more than one. */
    private readonly families: ReadonlyMap<string, readonly Run[]>,
  ) {}

  static among(runs: readonly Run[]): Families {
    const following = runs
      .filter(({ follows }) => follows !== undefined)
      .map(run => ({ run, startedMs: Date.parse(run.startedAt) }))
      .sort((a, b) => a.startedMs - b.startedMs)
      .map(({ run }) => run);
    const followed = new Set(following.map(({ follows }) => follows?.runId));
    const byId = new Map(following.length === 0 ? [] : runs.filter(({ id }) => followed.has(id)).map(run => [run.id, run]));
    const before = ({ follows }: Run) => follows && byId.get(follows.runId);
    const families = new Map<string, Run[]>();
    // Each follows a run that is older than itself.
    for (const run of following) {
      const parent = before(run);
      const family = parent && (families.get(parent.id) ?? (before(parent) === undefined ? [parent] : undefined));
      if (parent !== undefined && family !== undefined) {
        family.push(run);
        families.set(parent.id, family).set(run.id, family);
      }
    }
    return new Families(byId, following, families);
  }

  /** The same families with some runs that are others by now, each of which follows what it followed before. */
  with(changed: readonly Run[]): Families {
    const now = new Map(changed.map(run => [run.id, run]));
    const current = (run: Run) => now.get(run.id) ?? run;
    const byId = new Map(this.byId);
    const families = new Map(this.families);
    for (const run of changed) {
      if (byId.has(run.id)) {
        byId.set(run.id, run);
      }
      const family = families.get(run.id)?.map(current) ?? [];
      for (const { id } of family) {
        families.set(id, family);
      }
    }
    return new Families(byId, this.following.map(current), families);
  }

  of(run: Run): readonly Run[] {
    if (run.follows === undefined) {
      return this.families.get(run.id) ?? [run];
    }
    let root = run;
    const seen = new Set([root.id]);
    for (let before = this.before(root); before !== undefined; before = this.before(root)) {
      if (seen.has(before.id)) {
        return this.ofRing(root);
      }
      seen.add(before.id);
      root = before;
    }
    return this.families.get(root.id) ?? [root];
  }

  private before({ follows }: Run): Run | undefined {
    return follows && this.byId.get(follows.runId);
  }

  /** Runs that follow each other in a ring, as damaged records can: it begins with any of them. */
  private ofRing(root: Run): readonly Run[] {
    const family = new Set([root.id]);
    const found = [root];
    for (const other of this.following) {
      if (!family.has(other.id) && family.has(other.follows?.runId ?? '')) {
        family.add(other.id);
        found.push(other);
      }
    }
    return found;
  }
}
