import { createHash } from 'node:crypto';
import type { PassContext } from '../files/lineFile';
import type { DrawnLines, DrawSource } from './arrangingJobs';
import { chosen, createRandom } from './random';
import { readRows } from './rowTable';
import { divide, type Group, lengthGroups, ModelColumn } from './sampleFile';

const tenths = 10;

/**
 * Draws requests so that every model is among them, and of each model short and long ones: at least one of each group as long as there
 * are enough, the others in the proportion of the groups. The same seed draws the same lines. Blocks, so it is for threads.
 */
export async function drawLines({ path, seed, count }: DrawSource, context: PassContext): Promise<DrawnLines> {
  const column = new ModelColumn();
  const hash = createHash('sha256');
  const { rows } = readRows(
    path,
    context,
    (line, row) => column.add(line, row),
    { requestsOnly: true },
    bytes => hash.update(bytes),
  );
  const total = rows.count;
  const wanted = Math.min(total, Math.max(1, count));
  const byModel = column.groups(total).filter(group => group.rows.length > 0);
  const lengths = Math.max(1, Math.min(tenths, Math.floor(wanted / Math.max(1, byModel.length))));
  const groups = byModel.flatMap(group => lengthGroups(rows, group.rows, lengths));
  const random = createRandom(seed);
  const quotas = quotasOf(wanted, groups);
  const drawn = groups.flatMap((group, index) => [...chosen(group.rows, quotas[index] ?? 0, random)]).sort((a, b) => a - b);
  const lines = new Uint32Array(new SharedArrayBuffer(drawn.length * 4));
  for (const [index, row] of drawn.entries()) {
    lines[index] = rows.lines[row] as number;
  }
  return { lines, total, models: byModel.length, sha256: hash.digest('hex') };
}

function quotasOf(wanted: number, groups: readonly Group[]): readonly number[] {
  const sizes = groups.map(group => group.rows.length);
  if (wanted < groups.length) {
    return divide(wanted, sizes);
  }
  // `divide` makes of nothing wanted nothing, except where there is nothing to divide.
  const rest = divide(
    wanted - groups.length,
    sizes.map(size => size - 1),
  );
  return sizes.map((_, index) => 1 + (rest[index] ?? 0));
}
