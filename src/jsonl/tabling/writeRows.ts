import { copyRows } from '../arranging/rowTable';
import { writeLinesOf } from '../files/blockWriter';
import { type PassContext, toOnRead } from '../files/lineFile';
import { readIndexOf } from '../results/resultsIndexFile';
import type { RowsSource } from './tablingJobs';

/**
 * Copies rows of an indexed request file unchanged to a new file. Blocks the thread, so only for workers. Throws an `IndexMismatchError` if
 * the index does not match.
 */
export async function writeRows(
  { path, indexPath, rows: order, outPath }: RowsSource,
  context: PassContext,
): Promise<{ readonly written: number }> {
  const { rows } = readIndexOf({ joinedPath: path, indexPath });
  const bytes = order.reduce((sum, row) => sum + (rows.lengths[row] as number), 0);
  const table = { count: rows.count, starts: rows.offsets, lengths: rows.lengths };
  await writeLinesOf([path], outPath, context, out => copyRows(path, table, order, out, toOnRead(context, bytes)));
  return { written: order.length };
}
