import { diff3Merge } from 'node-diff3';
import { parseJsonLine } from '../../../jsonl/scanning/jsonText';

/** Longer texts are not merged: the user compares them. */
const mostCharacters = 2_000_000;

/**
 * Brings two changes of one request together, line by line of their laid-out texts. Undefined where both changed the same lines, or
 * where the result would be broken, or have a key twice, that neither of them has.
 */
export function mergeRequests(base: string, mine: string, theirs: string): string | undefined {
  if (mine.length + theirs.length > mostCharacters) {
    return undefined;
  }
  const regions = diff3Merge(toLines(mine), toLines(base), toLines(theirs), { excludeFalseConflicts: true });
  if (regions.some(({ conflict }) => conflict !== undefined)) {
    return undefined;
  }
  const merged = regions.flatMap(({ ok }) => ok ?? []).join('\n');
  return isSound(merged) || !isSound(mine) || !isSound(theirs) ? merged : undefined;
}

function toLines(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}

function isSound(text: string): boolean {
  const { complete, problems } = parseJsonLine(text);
  return complete && problems.every(({ rule }) => rule !== 'duplicate-key');
}
