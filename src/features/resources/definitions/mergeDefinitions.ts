import { diff3Merge } from 'node-diff3';
import { isRecord, ownValue } from '../../../shared/isRecord';
import type { Definition } from './definitionText';

/**
 * Path that both sides changed in different ways. The merged definition has the value of `mine`. In a multi-line text, `mine` and `theirs`
 * differ only in lines that both sides changed. Both contain the lines that one side changed.
 */
export interface MergeConflict {
  /** Member names from the root of the definition: `['model', 'speed']`. */
  readonly path: readonly string[];
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
}

/**
 * Merges two changes of one definition. Applies changes of only one side. Merges by member in objects, by element in arrays, by line in
 * multi-line texts. The result is always a complete definition.
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

/**
 * Returns the update request that turns `before` into `after` (API facts, sections 10 and 11). An absent field stays unchanged, and `null`
 * clears a field. Arrays and objects are replaced whole. The field `metadata` is a patch of its keys, in which `null` deletes a key. If the
 * kind has versions, the result names `version`, which is the version of `before`. `changed` lists the names of the changed fields.
 */
export function toPatch(before: Definition, after: Definition, version?: number) {
  const names = new Set([...Object.keys(after), ...Object.keys(before)]);
  const changed = [...names].filter(name => !isEqual(ownValue(before, name), ownValue(after, name)));
  const fields = changed.map(name => [
    name,
    name === 'metadata' ? metadataPatch(before[name], after[name]) : (ownValue(after, name) ?? null),
  ]);
  return { fields: { ...(version === undefined ? {} : { version }), ...Object.fromEntries(fields) }, changed };
}

function metadataPatch(before: unknown, after: unknown): unknown {
  const from = isRecord(before) ? before : {};
  const to = isRecord(after) ? after : {};
  const names = new Set([...Object.keys(to), ...Object.keys(from)]);
  return Object.fromEntries(
    [...names].filter(name => !isEqual(ownValue(from, name), ownValue(to, name))).map(name => [name, ownValue(to, name) ?? null]),
  );
}

/** Returns whether two JSON values are equal. The order of members doesn't count, and an absent member equals `null`. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b || (a ?? null) === (b ?? null)) {
    return true;
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((element, index) => isEqual(element, b[index]));
  }
  if (isRecord(a) && isRecord(b)) {
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].every(name => isEqual(ownValue(a, name), ownValue(b, name)));
  }
  return false;
}

/** Returns whether a value is compared in its own document. This applies to multi-line texts and very long texts. */
export function isLongText(value: unknown): value is string {
  return typeof value === 'string' && (value.includes('\n') || value.length > longText);
}

const longText = 200;
