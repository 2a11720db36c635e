import { type BlockWriter, writeWholeFiles } from '../files/blockWriter';
import type { PassContext } from '../files/lineFile';
import type { OtherLines, ShuffleSource, WrittenLines } from './arrangingJobs';
import { demandState, RowCopier, readState } from './copyRows';
import { createRandom, shuffled } from './random';
import { toOnRead, type WalkedLine } from './requestWalk';
import { type RowKinds, type RowTable, readRows } from './rowTable';

/** Writes the lines of a request file in an order determined by the seed, without blank lines. Blocks the thread, so only for workers. */
export async function shuffleFile({ path, outPath, seed }: ShuffleSource, context: PassContext): Promise<WrittenLines> {
  return await rewrite(path, outPath, context, rows => shuffled(rows.count, createRandom(seed)));
}

/**
 * Writes lines of a file to another one in the order of the row numbers that `choose` returns. Memory grows by about 30 bytes per line.
 * Throws a `SourceChangedError` if the file is modified meanwhile.
 */
export async function rewrite(
  path: string,
  outPath: string,
  context: PassContext,
  choose: (rows: RowTable) => Uint32Array,
  visit?: (line: WalkedLine, row: number) => void,
  kinds?: RowKinds,
): Promise<WrittenLines> {
  const state = readState(path);
  const { rows, bytes, blank, broken } = readRows(path, context, visit, kinds);
  const order = choose(rows);
  const totalBytes = bytes + lengthOf(rows, order) + 1;
  const others: OtherLines = { blank, broken };
  await writeWholeFiles(context, async files => {
    const out = await files.createOfLines(outPath);
    copyAll(path, rows, order, out, toOnRead(context, totalBytes, bytes));
    demandState(path, state);
  });
  context.progress({ doneBytes: totalBytes, totalBytes });
  return { ...others, written: order.length };
}

function copyAll(path: string, rows: RowTable, order: Uint32Array, out: BlockWriter, onCopied: (doneBytes: number) => void): void {
  let copiedBytes = 0;
  const copier = new RowCopier(path, rows, bytes => {
    copiedBytes += bytes;
    onCopied(copiedBytes);
  });
  try {
    copier.copy(order, out);
  } finally {
    copier.close();
  }
}

function lengthOf(rows: RowTable, order: Uint32Array): number {
  return order.reduce((sum, row) => sum + (rows.lengths[row] as number), 0);
}
