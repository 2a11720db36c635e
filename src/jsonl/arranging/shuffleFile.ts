import { writeLinesOf } from '../files/blockWriter';
import { type PassContext, toOnRead } from '../files/lineFile';
import type { WalkedLine } from '../files/requestWalk';
import type { ShuffleSource, WrittenLines } from './arrangingJobs';
import { copyRows } from './copyRows';
import { createRandom, shuffled } from './random';
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
  return await writeLinesOf([path], outPath, context, out => {
    const { rows, bytes, others } = readRows(path, context, visit, kinds);
    const order = choose(rows);
    copyRows(path, rows, order, out, toOnRead(context, bytes + lengthOf(rows, order), bytes));
    return { ...others, written: order.length };
  });
}

function lengthOf(rows: RowTable, order: Uint32Array): number {
  return order.reduce((sum, row) => sum + (rows.lengths[row] as number), 0);
}
