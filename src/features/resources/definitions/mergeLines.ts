import { diff3Merge } from 'node-diff3';

/**
 * Result of merging two changes of a text. If both sides changed the same lines, `mine` and `theirs` have their own version of them.
 * Otherwise they are equal.
 */
export interface MergedLines {
  readonly mine: string;
  readonly theirs: string;
  readonly isWhole: boolean;
}

/** Merges two changes of a text line by line. A change of only one side is taken. */
export function mergeLines(base: string, mine: string, theirs: string): MergedLines {
  const regions = diff3Merge(mine.split('\n'), base.split('\n'), theirs.split('\n'), { excludeFalseConflicts: true });
  const join = (side: 'a' | 'b') => regions.flatMap(({ ok, conflict }) => ok ?? conflict?.[side] ?? []).join('\n');
  return { mine: join('a'), theirs: join('b'), isWhole: regions.every(({ conflict }) => conflict === undefined) };
}
