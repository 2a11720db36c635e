import { IdTable } from '../files/idTable';
import { RequestHashes } from '../merging/requestHashes';
import type { JoinedResults } from '../results/joinedResults';
import { none } from '../results/resultsFile';
import type { IndexContents } from '../results/resultsIndexFile';

export interface ComparedResults extends JoinedResults {
  /** Paths of `requests.hash` and `lines.tsv` of each submission. Without them, requests are only paired by id. */
  readonly sent?: readonly { readonly hashesPath: string; readonly linesPath: string }[];
}

export interface CompareSource {
  readonly before: ComparedResults;
  readonly after: ComparedResults;
  /** File with the expectations for both runs, and the run that its ids refer to. */
  readonly expectations?: { readonly path: string; readonly idsOf: 'before' | 'after' };
}

/** Rows of two joined files, paired by the request that they answer. */
export interface PairedRows {
  /** Criterion of the pairs: id, content if no id is in both runs, or `nothing`. */
  readonly pairedBy: 'id' | 'request' | 'nothing';
  /** Row of the second file for each row of the first file, or -1. */
  readonly afterOf: Int32Array;
}

/** Pairs rows by id. If no id is in both files, pairs rows by the content of their requests. */
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
  return Int32Array.from({ length: rows.count }, (_, row) => rowIn(after, ids, rows.ids[row] as number));
}

/** Returns the row of an id of another table, or -1 if there is no such row. */
function rowIn({ ids, rowOfId }: Ids, other: IdTable, id: number): number {
  const row = rowOfId[ids.findFrom(other, id)] ?? none;
  return row === none ? -1 : row;
}

/** Pairs requests with equal content in file order. Each request is paired at most once. */
function pairByRequest(before: readonly (string | undefined)[], after: readonly (string | undefined)[]): Int32Array {
  const waiting = new Map<string, number[]>();
  for (let row = after.length - 1; row >= 0; row--) {
    const hash = after[row];
    if (hash !== undefined) {
      const rows = waiting.get(hash) ?? [];
      waiting.set(hash, rows);
      rows.push(row);
    }
  }
  return Int32Array.from(before, hash => (hash === undefined ? undefined : waiting.get(hash)?.pop()) ?? -1);
}

function toHashes({ rows, ids }: IndexContents, sent: NonNullable<ComparedResults['sent']>): readonly (string | undefined)[] {
  const known: RequestHashes[] = [];
  for (const { hashesPath, linesPath } of sent) {
    try {
      known.push(RequestHashes.openSync(hashesPath, linesPath));
    } catch {
      // Batches of older versions of the extension have no hashes, so their requests are never paired.
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
  const open = new IdTable();
  for (const [one, other] of [[before, after] as const, [after, before] as const]) {
    for (const [id, row] of one.rowOfId.entries()) {
      if (row === none && rowIn(other, one.ids, id) < 0) {
        open.addFrom(one.ids, id);
      }
    }
  }
  return open.size;
}
