import type { LineMap } from '../files/lineMap';
import { readIndexOf } from '../results/resultsIndexFile';
import type { AnsweredRows } from './retryingJobs';

/**
 * Returns the requests that rows of joined results answer, as the `places` of a group. If several files were sent with an id, the last one
 * counts. Rows with an unknown id are left out. Blocks, so it runs in a thread. Throws `IndexMismatchError`.
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
