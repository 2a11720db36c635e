import { createHash } from 'node:crypto';
import { writeLinesOf } from '../files/blockWriter';
import { IdTable } from '../files/idTable';
import { type PassContext, passOf, toOnRead } from '../files/lineFile';
import type { OtherLines, WalkedLine } from '../files/requestWalk';
import { sharedWords } from '../files/typedArrays';
import { JsonBytes } from '../scanning/jsonBytes';
import { chosen, createRandom, shuffled } from './random';
import { copyRows, type RowTable, readRows } from './rowTable';

/** Maximum number of length groups per model. */
const tenths = 10;
/** Maximum number of model groups. All further models share the last group. */
const maxModels = 1000;

/** Size of a sample: a number of requests, or a share between 0 and 1. */
export type SampleSize = { readonly count: number } | { readonly share: number };

interface SeededSource {
  readonly path: string;
  readonly seed: string;
}

interface WrittenLines extends OtherLines {
  readonly written: number;
}

/**
 * Chooses requests of a file as `drawRows` does. Returns their line numbers, 0-based, ascending and in shared memory. The same seed chooses
 * the same lines. Blocks the thread, so only for workers.
 */
export async function drawLines({ path, seed, count }: SeededSource & { readonly count: number }, context: PassContext) {
  const models = new ModelGroups();
  const hash = createHash('sha256');
  const { rows } = readRows(path, context, models.spanOf, bytes => hash.update(bytes));
  const selected = drawRows(rows, models, Math.max(1, count), seed);
  const lines = sharedWords(selected.length);
  lines.set(selected.map(row => rows.lines[row] as number));
  return { lines, total: rows.lines.length, sha256: hash.digest('hex') };
}

/** Writes a sample of the requests of a file (see `drawRows`), in file order and without invalid lines. Blocks, so only for threads. */
export async function sampleFile(
  { path, outPath, seed, size }: SeededSource & { readonly outPath: string; readonly size: SampleSize },
  context: PassContext,
): Promise<WrittenLines> {
  const models = new ModelGroups();
  const choose = (rows: RowTable) =>
    drawRows(rows, models, 'count' in size ? size.count : Math.max(1, Math.round(rows.lines.length * size.share)), seed);
  return await rewrite(path, outPath, context, models.spanOf, choose);
}

/** Writes the lines of a request file in random order, without blank lines. The same seed gives the same order. */
export async function shuffleFile(
  { path, outPath, seed }: SeededSource & { readonly outPath: string },
  context: PassContext,
): Promise<WrittenLines> {
  const choose = ({ lines }: RowTable) => shuffled(lines.length, createRandom(seed));
  return await rewrite(path, outPath, context, ({ start, end }) => [start, end], choose);
}

/** Writes the rows that `choose` returns, in that order. Throws a `SourceChangedError` if the file is modified meanwhile. */
async function rewrite(
  path: string,
  outPath: string,
  context: PassContext,
  spanOf: Parameters<typeof readRows>[2],
  choose: (rows: RowTable) => Uint32Array,
): Promise<WrittenLines> {
  return await writeLinesOf([path], outPath, context, out => {
    const { rows, others } = readRows(path, context, spanOf);
    const order = choose(rows);
    const bytes = order.reduce((sum, row) => sum + (rows.lengths[row] as number), 0);
    copyRows(path, rows, order, out, toOnRead(passOf(context, 1), bytes));
    return { ...others, written: order.length };
  });
}

/**
 * Chooses rows from groups by model and length, so that both short and long requests of every model are represented. Each group gets at
 * least one row if `count` is large enough. The rest is distributed in proportion. Returns the rows in file order.
 */
function drawRows(rows: RowTable, { groups: byModel }: ModelGroups, count: number, seed: string): Uint32Array {
  const wanted = Math.min(rows.lines.length, count);
  const lengths = Math.max(1, Math.min(tenths, Math.floor(wanted / Math.max(1, byModel.length))));
  const groups = byModel.flatMap(group => lengthGroups(rows, group, lengths));
  const random = createRandom(seed);
  const quotas = quotasOf(
    wanted,
    groups.map(group => group.length),
  );
  return Uint32Array.from(groups.flatMap((group, index) => [...chosen(group, quotas[index] ?? 0, random)])).sort();
}

function quotasOf(wanted: number, sizes: readonly number[]): readonly number[] {
  if (wanted < sizes.length) {
    return divide(wanted, sizes);
  }
  // Each group already has one request, so `divide` distributes only the remaining requests. None remain if all groups are full.
  const rest = divide(
    wanted - sizes.length,
    sizes.map(size => size - 1),
  );
  return sizes.map((_, index) => 1 + (rest[index] ?? 0));
}

/** Distributes `wanted` in proportion to `sizes`. No part exceeds its size, and the parts add up to `wanted`. */
export function divide(wanted: number, sizes: readonly number[]): readonly number[] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total === 0) {
    return sizes;
  }
  const exact = sizes.map(size => (size * wanted) / total);
  const parts = exact.map(Math.floor);
  const order = exact.map((share, index) => [index, share - Math.floor(share)] as const).sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  let rest = wanted - parts.reduce((sum, part) => sum + part, 0);
  for (let round = 0; rest > 0; round = (round + 1) % order.length) {
    const index = order[round]?.[0] ?? 0;
    if ((parts[index] as number) < (sizes[index] as number)) {
      parts[index] = (parts[index] as number) + 1;
      rest--;
    }
  }
  return parts;
}

class ModelGroups {
  readonly groups: number[][] = [];
  private readonly json = new JsonBytes();
  private readonly names = new IdTable();

  /** Adds a request to the group of its model. Leaves out invalid lines (see `readRows`). */
  readonly spanOf = ({ kind, bytes, start, end, paramsStart }: WalkedLine, row: number): readonly [number, number] | undefined => {
    if (kind === 'broken') {
      return undefined;
    }
    this.json.bytes = bytes;
    const model = Math.min(this.names.addText(this.json.stringAt(this.json.find(paramsStart, 'model')) ?? ''), maxModels - 1);
    this.groups[model] ??= [];
    this.groups[model].push(row);
    return [start, end];
  };
}

/** Returns groups of about equal size, from the shortest lines to the longest. */
function lengthGroups({ lengths }: RowTable, among: readonly number[], wanted: number): readonly Uint32Array[] {
  const count = among.length;
  const groups = Math.min(wanted, count);
  const byLength = Uint32Array.from(among).sort((a, b) => (lengths[a] as number) - (lengths[b] as number) || a - b);
  return Array.from({ length: groups }, (_, index) =>
    byLength.slice(Math.floor((count * index) / groups), Math.floor((count * (index + 1)) / groups)).sort(),
  );
}
