import { diff3Merge } from 'node-diff3';

/** Two changes of one text brought together. Where both changed the same lines, `mine` and `theirs` have those of one side; else they are the same. */
export interface MergedLines {
  readonly mine: string;
  readonly theirs: string;
  readonly isWhole: boolean;
}

/** Brings two changes of a text together line by line: what only one side changed is taken from it. */
export function mergeLines(base: string, mine: string, theirs: string): MergedLines {
  const regions = diff3Merge(mine.split('\n'), base.split('\n'), theirs.split('\n'), { excludeFalseConflicts: true });
  const join = (side: 'a' | 'b') => regions.flatMap(({ ok, conflict }) => ok ?? conflict?.[side] ?? []).join('\n');
  return { mine: join('a'), theirs: join('b'), isWhole: regions.every(({ conflict }) => conflict === undefined) };
}
