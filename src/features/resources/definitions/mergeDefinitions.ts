import { diff3Merge } from 'node-diff3';
import { isRecord } from '../../../shared/isRecord';
import { isEqual } from './definitionPatch';
import type { Definition } from './definitionText';
import { mergeLines } from './mergeLines';

/**
 * A place that both sides changed in different ways. In the merged definition it stands as in `mine`. Of a text of several lines only the lines
 * that both changed differ in `mine` and `theirs`: what one side alone changed is in both.
 */
export interface MergeConflict {
  /** Names from the top: `['model', 'speed']`. */
  readonly path: readonly string[];
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
}

export interface MergedDefinition {
  readonly definition: Definition;
  readonly conflicts: readonly MergeConflict[];
}

/**
 * Brings two changes of one definition together: what only one side changed is taken from it, member by member in objects, element by
 * element in arrays, line by line in texts of several lines. The result is always a whole definition.
 */
export function mergeDefinitions(base: Definition, mine: Definition, theirs: Definition): MergedDefinition {
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

/** Arrays where the two sides changed different elements; undefined otherwise. */
function mergeArrays(base: unknown, mine: unknown, theirs: unknown): unknown {
  if (Array.isArray(mine) && Array.isArray(theirs) && Array.isArray(base)) {
    const elements = mergeElements(base.map(toText), mine.map(toText), theirs.map(toText));
    return elements?.map((text): unknown => JSON.parse(text));
  }
  return undefined;
}

function mergeElements(base: string[], mine: string[], theirs: string[]): readonly string[] | undefined {
  const regions = diff3Merge(mine, base, theirs, { excludeFalseConflicts: true });
  return regions.some(({ conflict }) => conflict !== undefined) ? undefined : regions.flatMap(({ ok }) => ok ?? []);
}

function toText(element: unknown): string {
  return JSON.stringify(element);
}
