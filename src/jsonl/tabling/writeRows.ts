import { RowCopier } from '../arranging/copyRows';
import { writeWholeFiles } from '../files/blockWriter';
import { demandState, fileStateAt } from '../files/fileState';
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
  const state = fileStateAt(path);
  const totalBytes = order.reduce((sum, row) => sum + (rows.lengths[row] as number), 0) + 1;
  await writeWholeFiles(context, async files => {
    const out = await files.createOfLines(outPath);
    const table = { count: rows.count, starts: rows.offsets, lengths: rows.lengths };
    const copier = new RowCopier(path, table, toOnRead(context, totalBytes));
    try {
      copier.copy(order, out);
    } finally {
      copier.close();
    }
    demandState(path, state);
  });
  context.progress({ doneBytes: totalBytes, totalBytes });
  return { written: order.length };
}
