import { diff3Merge } from 'node-diff3';
import { parseJsonLine } from '../../../jsonl/scanning/jsonText';

/** Maximum number of characters to merge. The user compares longer texts. */
const mostCharacters = 2_000_000;

/**
 * Merges two changes of a request, line by line of their formatted texts. Returns `undefined` if they conflict, or if the result would have
 * broken JSON or duplicate keys that neither of them has.
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
