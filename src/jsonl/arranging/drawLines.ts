import { createHash } from 'node:crypto';
import { IdTable } from '../files/idTable';
import type { PassContext } from '../files/lineFile';
import type { WalkedLine } from '../files/requestWalk';
import { grown, sharedWords } from '../files/typedArrays';
import { JsonBytes } from '../scanning/jsonBytes';
import type { DrawSource, SampledLines } from './arrangingJobs';
import { chosen, createRandom } from './random';
import { type RowTable, readRows } from './rowTable';

/** Maximum number of groups of requests to one model by length. */
const tenths = 10;
/** Maximum number of groups by model. Any further models share the last group. */
const maxModels = 1000;

/** Chooses requests of a file as `drawRows` does. The same seed chooses the same lines. Blocks the thread, so only for workers. */
export async function drawLines({ path, seed, count }: DrawSource, context: PassContext): Promise<SampledLines> {
  const models = new ModelColumn();
  const hash = createHash('sha256');
  const { rows } = readRows(
    path,
    context,
    (line, row) => models.add(line, row),
    { requestsOnly: true },
    bytes => hash.update(bytes),
  );
  const selected = drawRows(rows, models, Math.max(1, count), seed);
  const lines = sharedWords(selected.length);
  for (const [index, row] of selected.entries()) {
    lines[index] = rows.lines[row] as number;
  }
  return { lines, total: rows.count, models: models.groups(rows.count).length, sha256: hash.digest('hex') };
}

/**
 * Chooses rows so that every model is represented, and for each model both short and long requests. Each group gets at least one row if
 * `count` is large enough. The rest is distributed in proportion. Returns the rows in file order.
 */
export function drawRows(rows: RowTable, models: ModelColumn, count: number, seed: string): Uint32Array {
  const wanted = Math.min(rows.count, count);
  const byModel = models.groups(rows.count);
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
  // Each group already has one request, so `divide` distributes only the remaining ones. If all groups are full, none remain.
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

/** Model of the request in each row of a file. */
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

  /** Returns the rows of each model. */
  groups(count: number): readonly Uint32Array[] {
    const rows: number[][] = Array.from({ length: Math.min(this.names.size, maxModels) }, () => []);
    for (let row = 0; row < count; row++) {
      rows[Math.min(this.numbers[row] as number, maxModels - 1)]?.push(row);
    }
    return rows.map(own => Uint32Array.from(own));
  }
}

/** Returns groups of about equal size, from the shortest lines to the longest. */
function lengthGroups({ lengths }: RowTable, among: Uint32Array, wanted: number): readonly Uint32Array[] {
  const count = among.length;
  const groups = Math.min(wanted, count);
  const byLength = among.slice().sort((a, b) => (lengths[a] as number) - (lengths[b] as number) || a - b);
  return Array.from({ length: groups }, (_, index) =>
    byLength.slice(Math.floor((count * index) / groups), Math.floor((count * (index + 1)) / groups)).sort(),
  );
}
