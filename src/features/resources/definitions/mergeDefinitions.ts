import { diff3Merge } from 'node-diff3';
import { isRecord } from '../../../shared/isRecord';
import { isEqual } from './definitionPatch';
import type { Definition } from './definitionText';

/**
 * Path that both sides changed in different ways. The merged definition has the value of `mine`. In a multi-line text, `mine` and `theirs`
 * differ only in lines that both sides changed: lines that one side changed are in both.
 */
export interface MergeConflict {
  /** Member names from the top: `['model', 'speed']`. */
  readonly path: readonly string[];
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
}

/**
 * Merges two changes of one definition. Applies changes of only one side: by member in objects, by element in arrays, by line in multi-line
 * texts. The result is always a complete definition.
 */
export function mergeDefinitions(base: Definition, mine: Definition, theirs: Definition) {
  const conflicts: MergeConflict[] = [];
  return { definition: mergeRecords(base, mine, theirs, [], conflicts), conflicts };
}

type Path = readonly string[];

function mergeRecords(base: Definition, mine: Definition, theirs: Definition, path: Path, conflicts: MergeConflict[]) {
  const names = new Set([...Object.keys(mine), ...Object.keys(theirs)]);
  const merged = [...names].map((name): [string, unknown] => [
    name,
    mergeValues(base[name], mine[name], theirs[name], [...path, name], conflicts),
  ]);
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
}

function mergeValues(base: unknown, mine: unknown, theirs: unknown, path: Path, conflicts: MergeConflict[]): unknown {
  if (isEqual(mine, theirs) || isEqual(base, theirs)) {
    return mine;
  }
  if (isEqual(base, mine)) {
    return theirs;
  }
  if (isRecord(mine) && isRecord(theirs)) {
    return mergeRecords(isRecord(base) ? base : {}, mine, theirs, path, conflicts);
  }
  if (typeof mine === 'string' && typeof theirs === 'string' && typeof base === 'string') {
    const lines = mergeLines(base, mine, theirs);
    if (!lines.isWhole) {
      conflicts.push({ path, base, mine: lines.mine, theirs: lines.theirs });
    }
    return lines.mine;
  }
  const merged = mergeArrays(base, mine, theirs);
  if (merged === undefined) {
    conflicts.push({ path, base, mine, theirs });
    return mine;
  }
  return merged;
}

/** Merges arrays in which the two sides changed different elements. Returns `undefined` otherwise. */
function mergeArrays(base: unknown, mine: unknown, theirs: unknown): unknown {
  if (!Array.isArray(mine) || !Array.isArray(theirs) || !Array.isArray(base)) {
    return undefined;
  }
  const [a, o, b] = [mine, base, theirs].map(elements => elements.map(element => JSON.stringify(element)));
  const regions = diff3Merge(a ?? [], o ?? [], b ?? [], { excludeFalseConflicts: true });
  const isWhole = regions.every(({ conflict }) => conflict === undefined);
  return isWhole ? regions.flatMap(({ ok }) => ok ?? []).map((text): unknown => JSON.parse(text)) : undefined;
}

/**
 * Merges two changes of a text line by line. Applies changes of only one side. If both sides changed the same lines, `isWhole` is false,
 * and `mine` and `theirs` differ only in those lines. Otherwise `mine` and `theirs` are equal.
 */
export function mergeLines(base: string, mine: string, theirs: string) {
  const regions = diff3Merge(mine.split('\n'), base.split('\n'), theirs.split('\n'), { excludeFalseConflicts: true });
  const join = (side: 'a' | 'b') => regions.flatMap(({ ok, conflict }) => ok ?? conflict?.[side] ?? []).join('\n');
  return { mine: join('a'), theirs: join('b'), isWhole: regions.every(({ conflict }) => conflict === undefined) };
}
