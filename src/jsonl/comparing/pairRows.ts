import { RequestHashes } from '../merging/requestHashes';
import { none } from '../results/resultsFile';
import type { IndexContents } from '../results/resultsIndexFile';
import type { ComparedResults, Comparison } from './comparingJobs';

/** Rows of two joined files, paired by the request that they answer. */
export interface PairedRows {
  readonly pairedBy: Comparison['pairedBy'];
  /** Row of the second file for each row of the first file, or -1. */
  readonly afterOf: Int32Array;
}

/** Pairs rows by id. If no id is in both files, pairs them by the content of their requests. */
export function pairRows(
  before: IndexContents,
  after: IndexContents,
  sent: readonly [ComparedResults['sent'], ComparedResults['sent']],
): PairedRows {
  const byId = pairById(before, after);
  if (byId.some(row => row >= 0)) {
    return { pairedBy: 'id', afterOf: byId };
  }
  const [sentBefore, sentAfter] = sent;
  if (sentBefore !== undefined && sentAfter !== undefined) {
    const byRequest = pairByRequest(toHashes(before, sentBefore), toHashes(after, sentAfter));
    if (byRequest.some(row => row >= 0)) {
      return { pairedBy: 'request', afterOf: byRequest };
    }
  }
  return { pairedBy: 'nothing', afterOf: byId };
}

function pairById(before: IndexContents, after: IndexContents): Int32Array {
  const { rows, ids } = before;
  return Int32Array.from({ length: rows.count }, (_, row) => {
    const number = after.ids.findFrom(ids, rows.ids[row] as number);
    const found = number < 0 ? none : (after.rowOfId[number] as number);
    return found === none ? -1 : found;
  });
}

/** Pairs requests with equal content in file order. Each request is paired at most once. */
function pairByRequest(before: readonly (string | undefined)[], after: readonly (string | undefined)[]): Int32Array {
  const waiting = new Map<string, number[]>();
  after.forEach((hash, row) => {
    if (hash !== undefined) {
      const rows = waiting.get(hash);
      if (rows === undefined) {
        waiting.set(hash, [row]);
      } else {
        rows.push(row);
      }
    }
  });
  for (const rows of waiting.values()) {
    rows.reverse();
  }
  return Int32Array.from(before, hash => (hash === undefined ? undefined : waiting.get(hash)?.pop()) ?? -1);
}

function toHashes({ rows, ids }: IndexContents, sent: NonNullable<ComparedResults['sent']>): readonly (string | undefined)[] {
  const known: RequestHashes[] = [];
  for (const { hashesPath, linesPath } of sent) {
    try {
      known.push(RequestHashes.openSync(hashesPath, linesPath));
    } catch {
      // Batches of older versions have no hashes, so their requests are never paired.
    }
  }
  return Array.from({ length: rows.count }, (_, row) => {
    const id = ids.text(rows.ids[row] as number);
    return known
      .map(hashes => hashes.of(id))
      .findLast(hash => hash !== undefined)
      ?.toString('latin1');
  });
}

type Ids = Pick<IndexContents, 'ids' | 'rowOfId'>;

/** Counts the distinct ids that have a result in neither run. No row represents them. */
export function countUnanswered(before: Ids, after: Ids): number {
  return (
    countIds(before, inOther => inOther < 0 || after.rowOfId[inOther] === none, after) + countIds(after, inOther => inOther < 0, before)
  );
}

/** Counts the ids without a row for which `wanted` returns true. `wanted` is called with the number of the id in `other`, or -1. */
function countIds({ ids, rowOfId }: Ids, wanted: (inOther: number) => boolean, other: Ids): number {
  let count = 0;
  for (let id = 0; id < ids.size; id++) {
    if (rowOfId[id] === none && wanted(other.ids.findFrom(ids, id))) {
      count++;
    }
  }
  return count;
}
