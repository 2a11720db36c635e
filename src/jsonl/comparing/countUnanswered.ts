import { none } from '../results/resultsFile';
import type { IndexContents } from '../results/resultsIndexFile';

type Ids = Pick<IndexContents, 'ids' | 'rowOfId'>;

/** Counts the requests, by id, that have a result in neither run. No row represents them. */
export function countUnanswered(before: Ids, after: Ids): number {
  return (
    countIds(before, inOther => inOther < 0 || after.rowOfId[inOther] === none, after) + countIds(after, inOther => inOther < 0, before)
  );
}

/** Counts the ids of one run that have no row and whose number in the other run (-1 if missing) is `wanted`. */
function countIds({ ids, rowOfId }: Ids, wanted: (inOther: number) => boolean, other: Ids): number {
  const bytes = ids.allBytes;
  let count = 0;
  for (let id = 0; id < ids.size; id++) {
    if (rowOfId[id] === none && wanted(other.ids.find(bytes, ids.startOf(id), ids.endOf(id)))) {
      count++;
    }
  }
  return count;
}
