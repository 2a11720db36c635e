import type { LineMap } from '../files/lineMap';
import { readIndexOf } from '../results/resultsIndexFile';
import type { AnsweredRows } from './retryingJobs';

/**
 * The requests that rows of joined results answer, as `places` of a group that is written. Of an id that several files were sent with, the
 * last file counts; rows whose id none has are left out. Blocks, so it is for threads. Throws `IndexMismatchError`.
 */
export function findAnswered({ rows, ...joined }: AnsweredRows, maps: readonly LineMap[]): Uint32Array {
  const { ids, rows: columns } = readIndexOf(joined);
  const bytes = ids.allBytes;
  const places = new Uint32Array(rows.length * 2);
  let found = 0;
  for (const row of rows) {
    const id = columns.ids[row];
    for (let file = maps.length - 1; file >= 0 && id !== undefined; file--) {
      const number = maps[file]?.ids.find(bytes, ids.startOf(id), ids.endOf(id)) ?? -1;
      if (number >= 0) {
        places[found++] = file;
        places[found++] = number;
        break;
      }
    }
  }
  return places.subarray(0, found);
}
