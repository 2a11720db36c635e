import { writeLinesOf } from '../files/blockWriter';
import { IdTable } from '../files/idTable';
import { type PassContext, passOf, toOnRead } from '../files/lineFile';
import type { WalkedLine } from '../files/requestWalk';
import { grown } from '../files/typedArrays';
import { JsonBytes } from '../scanning/jsonBytes';
import type { SampleReport, SampleSource, ShuffleSource, WrittenLines } from './arrangingJobs';
import { chosen, createRandom, shuffled } from './random';
import { copyLines, type RowKinds, type RowTable, readRows } from './rowTable';

/** Rows that are sampled separately. */
export interface Group {
  readonly name: string;
  readonly rows: Uint32Array;
}

const tenths = 10;
/** Maximum number of groups by model. Any further models share the last group. */
const maxGroups = 1000;

/**
 * Writes a sample of the requests of a file, in file order and without invalid lines. Each group is represented in proportion, by the
 * largest remainder method. Blocks the thread, so only for workers.
 */
export async function sampleFile({ path, outPath, seed, size, by }: SampleSource, context: PassContext): Promise<SampleReport> {
  const models = new ModelColumn();
  let report: Pick<SampleReport, 'total' | 'groups'> = { total: 0, groups: [] };
  const choose = (rows: RowTable) => {
    const total = rows.count;
    const wanted = Math.min(total, 'count' in size ? size.count : Math.max(total === 0 ? 0 : 1, Math.round(total * size.share)));
    const groups = by === 'model' ? models.groups(total) : by === 'length' ? lengthGroups(rows) : [{ name: '', rows: all(total) }];
    const random = createRandom(seed);
    const quotas = divide(
      wanted,
      groups.map(group => group.rows.length),
    );
    const picks = groups.map((group, index) => chosen(group.rows, quotas[index] as number, random));
    report = { total, groups: groups.map(({ name, rows }, index) => ({ name, total: rows.length, written: quotas[index] as number })) };
    return Uint32Array.from(picks.flatMap(pick => [...pick])).sort();
  };
  const visit = by === 'model' ? (line: WalkedLine, row: number) => models.add(line, row) : undefined;
  const written = await rewrite(path, outPath, context, choose, visit, { requestsOnly: true });
  return { ...written, ...report };
}

/** Distributes `wanted` in proportion to `sizes`, with no part larger than its size. The parts add up to `wanted`. */
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

export class ModelColumn {
  private readonly json = new JsonBytes();
  private readonly names = new IdTable();
  private numbers = new Uint32Array(1 << 10);

  add(line: WalkedLine, row: number): void {
    if (row === this.numbers.length) {
      this.numbers = grown(this.numbers, new Uint32Array(row * 2));
    }
    this.json.bytes = line.bytes;
    this.numbers[row] = this.names.addText(this.json.stringAt(this.json.find(line.paramsStart, 'model')) ?? '');
  }

  groups(count: number): readonly Group[] {
    const rows: number[][] = Array.from({ length: Math.min(this.names.size, maxGroups) }, () => []);
    for (let row = 0; row < count; row++) {
      rows[Math.min(this.numbers[row] as number, maxGroups - 1)]?.push(row);
    }
    return rows.map((own, index) => ({ name: this.names.text(index), rows: Uint32Array.from(own) }));
  }
}

/** Returns groups of equal size, ten by default, from the shortest lines to the longest. `among` are the rows to group, all by default. */
export function lengthGroups({ lengths, count: allRows }: RowTable, among = all(allRows), wanted = tenths): readonly Group[] {
  const count = among.length;
  const byLength = among.slice().sort((a, b) => (lengths[a] as number) - (lengths[b] as number) || a - b);
  return Array.from({ length: Math.min(wanted, count) }, (_, index, of = Math.min(wanted, count)) => {
    const group = byLength.slice(Math.floor((count * index) / of), Math.floor((count * (index + 1)) / of));
    const least = lengths[group[0] as number] as number;
    const most = lengths[group.at(-1) as number] as number;
    return { name: least === most ? `${least}` : `${least}-${most}`, rows: group.sort() };
  });
}

function all(count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, index) => index);
}

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
    const { rows, others } = readRows(path, context, visit, kinds);
    const order = choose(rows);
    copyLines(path, rows, order, out, toOnRead(passOf(context, 1), lengthOf(rows, order)));
    return { ...others, written: order.length };
  });
}

function lengthOf(rows: RowTable, order: Uint32Array): number {
  return order.reduce((sum, row) => sum + (rows.lengths[row] as number), 0);
}
