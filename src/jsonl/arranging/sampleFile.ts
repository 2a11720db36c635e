import { type PassContext, passOf, toOnRead } from '../files/lineFile';
import { writeLinesOf } from '../files/blockWriter';
import type { WalkedLine } from '../files/requestWalk';
import type { SampleSource, ShuffleSource, WrittenLines } from './arrangingJobs';
import { drawRows, ModelColumn } from './drawLines';
import { createRandom, shuffled } from './random';
import { copyLines, type RowKinds, type RowTable, readRows } from './rowTable';

/**
 * Writes a sample of the requests of a file (see `drawRows`), in file order and without invalid lines. Blocks the thread, so only for
 * workers.
 */
export async function sampleFile({ path, outPath, seed, size }: SampleSource, context: PassContext): Promise<WrittenLines> {
  const models = new ModelColumn();
  const choose = (rows: RowTable) => {
    const count = 'count' in size ? size.count : Math.max(1, Math.round(rows.count * size.share));
    return drawRows(rows, models, count, seed);
  };
  return await rewrite(path, outPath, context, choose, (line, row) => models.add(line, row), { requestsOnly: true });
}

/**
 * Writes the lines of a request file in random order, without blank lines. The same seed gives the same order. Blocks the thread, so only
 * for workers.
 */
export async function shuffleFile({ path, outPath, seed }: ShuffleSource, context: PassContext): Promise<WrittenLines> {
  return await rewrite(path, outPath, context, rows => shuffled(rows.count, createRandom(seed)));
}

/**
 * Writes lines of a file to another one in the order of the row numbers that `choose` returns. Memory grows by about 30 bytes per line.
 * Throws a `SourceChangedError` if the file is modified meanwhile.
 */
async function rewrite(
  path: string,
  outPath: string,
  context: PassContext,
  choose: (rows: RowTable) => Uint32Array,
  visit?: (line: WalkedLine, row: number) => void,
  kinds?: RowKinds,
): Promise<WrittenLines> {
  return await writeLinesOf([path], outPath, context, out => {
    const { rows, others } = readRows(path, context, visit, kinds);
    const order = choose(rows);
    copyLines(path, rows, order, out, toOnRead(passOf(context, 1), lengthOf(rows, order)));
    return { ...others, written: order.length };
  });
}

function lengthOf(rows: RowTable, order: Uint32Array): number {
  return order.reduce((sum, row) => sum + (rows.lengths[row] as number), 0);
}
