import { none } from '../results/resultsFile';
import type { IndexContents } from '../results/resultsIndexFile';

/** Pairs the rows of two joined files by id. Returns the row of the second file for each row of the first one, or -1. */
export function pairRows({ rows, ids }: IndexContents, after: IndexContents): Int32Array {
  return Int32Array.from({ length: rows.count }, (_, row) => {
    const number = after.ids.findFrom(ids, rows.ids[row] as number);
    const found = number < 0 ? none : (after.rowOfId[number] as number);
    return found === none ? -1 : found;
  });
}

type Ids = Pick<IndexContents, 'ids' | 'rowOfId'>;

/** Counts the distinct ids that have a result in neither run. No row represents them. */
export function countUnanswered(before: Ids, after: Ids): number {
  return (
    countIds(before, inOther => inOther < 0 || after.rowOfId[inOther] === none, after) + countIds(after, inOther => inOther < 0, before)
  );
}

/** Counts the ids without a row for which `wanted` returns true. `wanted` gets the number of the id in `other`, or -1. */
function countIds({ ids, rowOfId }: Ids, wanted: (inOther: number) => boolean, other: Ids): number {
  let count = 0;
  for (let id = 0; id < ids.size; id++) {
    if (rowOfId[id] === none && wanted(other.ids.findFrom(ids, id))) {
      count++;
    }
  }
  return count;
}
